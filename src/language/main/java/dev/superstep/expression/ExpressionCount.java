package dev.superstep.expression;

import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/// Counts the expressions compiled while a definition is read, over all of its compilers, and
/// aborts the reading when they are too many or the request was abandoned.
public final class ExpressionCount {
  private static final ScopedValue<ExpressionCount> CURRENT = ScopedValue.newInstance();

  private final int max;
  private int count;

  private ExpressionCount(int max) {
    this.max = max;
  }

  /// @throws TooManyExpressionsException as soon as one more is to be compiled
  /// @throws CancellationException when the thread is interrupted meanwhile
  public static <T> T atMost(int max, Supplier<T> reading) {
    return ScopedValue.where(CURRENT, new ExpressionCount(max)).call(reading::get);
  }

  static void another() {
    if (CURRENT.isBound()) {
      CURRENT.get().add();
    }
  }

  /// Once more before each that is only looked at: no more of them than were compiled.
  ///
  /// @throws CancellationException when the thread is interrupted while it reads a definition
  static void requireWanted() {
    if (CURRENT.isBound()) {
      requireUninterrupted();
    }
  }

  private void add() {
    if (++count > max) {
      throw new TooManyExpressionsException(max);
    }
    requireUninterrupted();
  }

  private static void requireUninterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException();
    }
  }
}
