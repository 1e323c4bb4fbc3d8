package dev.superstep.expression;

import dev.cel.common.CelErrorCode;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.exceptions.CelRuntimeException;
import dev.cel.runtime.CelEvaluationListener;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The work of one evaluation, counted in the order of nanoseconds and the same everywhere: one
/// that is refused on one replica is refused on all.
///
/// A node of the syntax tree costs 256, a character that is read 1/2, one that is written 16, an
/// item that is visited 16, one that is copied 64. So memory is bounded too: by 32 million
/// characters or 8 million items at the default limit.
final class Budget implements CelEvaluationListener {
  private static final ScopedValue<Budget> CURRENT = ScopedValue.newInstance();
  private static final int NODE = 256;
  private static final int WRITE = 16;
  private static final int COPY = 64;
  private static final int VISIT = 16;
  private static final int INTERRUPT_EVERY = 1024;

  private final ExpressionLimits limits;
  private final Set<Long> keys;
  private long work;
  private int nodes;
  private @Nullable String exhausted;

  /// @param keys the nodes that compute keys of map literals
  Budget(ExpressionLimits limits, Set<Long> keys) {
    this.limits = limits;
    this.keys = keys;
  }

  /// The budget of the evaluation that runs on this thread.
  static Budget current() {
    return CURRENT.get();
  }

  <R, X extends Throwable> R run(ScopedValue.CallableOp<R, X> evaluation) throws X {
    return ScopedValue.where(CURRENT, this).call(evaluation);
  }

  /// Why the evaluation had to stop.
  Optional<String> exhausted() {
    return Optional.ofNullable(exhausted);
  }

  ExpressionLimits limits() {
    return limits;
  }

  /// Called by CEL after each node.
  @Override
  public void callback(CelExpr node, Object result) {
    spend(result instanceof String text ? NODE + (text.length() >> 1) : NODE);
    if (++nodes % INTERRUPT_EVERY == 0 && Thread.currentThread().isInterrupted()) {
      throw exhaust("the evaluation was interrupted");
    }
    if (!keys.isEmpty() && keys.contains(node.id())) {
      requireScalar(result);
    }
  }

  void spend(long units) {
    work += units;
    if (work > limits.workMax() || exhausted != null) {
      throw exhaust("it needs too much work; do less per expression, or use a function");
    }
  }

  /// Pays for visiting items.
  void visit(long items) {
    spend(items * VISIT);
  }

  /// Pays for a new string, which must not be too long.
  void write(long length) {
    if (length > limits.stringMax()) {
      throw exhaust("a string gets longer than %d characters".formatted(limits.stringMax()));
    }
    spend(length * WRITE);
  }

  /// Pays for a new list or map, which must not be too long.
  void copy(long size) {
    requireLength(size);
    spend(size * COPY);
  }

  void requireLength(long size) {
    if (size > limits.listMax()) {
      throw exhaust("a list gets longer than %d items".formatted(limits.listMax()));
    }
  }

  CelRuntimeException exhaust(String why) {
    if (exhausted == null) {
      exhausted = why;
    }
    return new Exhausted(exhausted);
  }

  /// Lists and maps as keys would be hashed, and shared structure hashes exponentially.
  static void requireScalar(Object key) {
    if (key instanceof List || key instanceof Map || key instanceof Optional) {
      throw CelProblem.of("a key must be a string, a number or a boolean");
    }
  }

  private static final class Exhausted extends CelRuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted(String why) {
      super(new IllegalStateException(why), CelErrorCode.ITERATION_BUDGET_EXCEEDED);
    }
  }
}
