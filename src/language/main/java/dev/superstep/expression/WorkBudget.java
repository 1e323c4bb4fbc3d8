package dev.superstep.expression;

import dev.cel.common.CelErrorCode;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.exceptions.CelRuntimeException;
import dev.cel.runtime.CelEvaluationListener;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.CarrierYield;
import dev.superstep.state.value.Value;
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
///
/// A template has one budget for all its segments.
final class WorkBudget implements CelEvaluationListener {
  private static final ScopedValue<WorkBudget> CURRENT = ScopedValue.newInstance();
  private static final int NODE = 256;
  private static final int WRITE = 16;
  private static final int COPY = 64;
  private static final int VISIT = 16;

  /// Some milliseconds.
  private static final int PAUSE_EVERY = 1 << 20;

  /// What needs more is long: 64 runs of which each took a carrier for longer would keep the rest
  /// of the process waiting for a quarter of a second at each of its turns.
  private static final int LONG = PAUSE_EVERY;

  private static final String INTERRUPTED = "the evaluation was interrupted";

  private final ExpressionLimits limits;
  private final LongWork longWork;
  private final Patterns patterns = new Patterns();
  private Set<Long> keys = Set.of();
  private Scope scope = _ -> Value.NULL;
  private long work;
  private long pauseAt = PAUSE_EVERY;
  private LongWork.@Nullable Turn turn;
  private @Nullable String exhausted;

  /// @param longWork where evaluations that take long wait for each other
  public WorkBudget(ExpressionLimits limits, LongWork longWork) {
    this.limits = limits;
    this.longWork = longWork;
  }

  /// The budget of the evaluation that runs on this thread.
  public static WorkBudget current() {
    return CURRENT.get();
  }

  /// @param computed the nodes that compute keys of map literals
  /// @param seen what the evaluation sees
  public <R, X extends Throwable> R run(
      Set<Long> computed, Scope seen, ScopedValue.CallableOp<R, X> evaluation) throws X {
    keys = computed;
    scope = seen;
    try {
      return ScopedValue.where(CURRENT, this).call(evaluation);
    } finally {
      endTurn();
    }
  }

  private void endTurn() {
    var ended = turn;
    turn = null;
    if (ended != null) {
      ended.end();
    }
  }

  /// What the scope of the evaluation has for functions, not for authors.
  Value variable(String name) {
    return scope.get(name);
  }

  /// Why the evaluation had to stop.
  public Optional<String> exhausted() {
    return Optional.ofNullable(exhausted);
  }

  public ExpressionLimits limits() {
    return limits;
  }

  /// Called by CEL after each node.
  @Override
  public void callback(CelExpr node, Object result) {
    spend(result instanceof String text ? NODE + (text.length() >> 1) : NODE);
    if (!keys.isEmpty() && keys.contains(node.id())) {
      requireScalar(result);
    }
  }

  public void spend(long units) {
    work += units;
    if (work > limits.workMax() || exhausted != null) {
      throw exhaust("it needs too much work; do less per expression, or use a function");
    }
    if (work >= pauseAt) {
      pauseAt = work + PAUSE_EVERY;
      pause();
    }
  }

  /// Lets others have the processor: an evaluation does not wait for anything, so that it would
  /// keep a carrier thread to itself otherwise. Cancellation is noticed here.
  public void pause() {
    try {
      takeTurn();
      if (Thread.currentThread().isInterrupted()) {
        throw exhaust(INTERRUPTED);
      }
      CarrierYield.now();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw exhaust(INTERRUPTED);
    }
  }

  /// Threads of the operating system need none: it shares the processors out itself.
  private void takeTurn() throws InterruptedException {
    var taken = turn;
    if (taken != null) {
      turn = null;
      taken.pass();
      turn = taken;
    } else if (work >= LONG && Thread.currentThread().isVirtual()) {
      turn = longWork.enter();
    }
  }

  public Patterns patterns() {
    return patterns;
  }

  /// Pays for visiting items.
  public void visit(long items) {
    spend(items * VISIT);
  }

  /// Pays for a new string, which must not be too long.
  public void write(long length) {
    if (length > limits.stringMax()) {
      throw exhaust("a string gets longer than %d characters".formatted(limits.stringMax()));
    }
    spend(length * WRITE);
  }

  /// Pays for a new list or map, which must not be too long.
  public void copy(long size) {
    requireLength(size);
    spend(size * COPY);
  }

  public void requireLength(long size) {
    if (size > limits.listMax()) {
      throw exhaust("a list gets longer than %d items".formatted(limits.listMax()));
    }
  }

  public CelRuntimeException exhaust(String why) {
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
