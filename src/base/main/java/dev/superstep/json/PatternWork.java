package dev.superstep.json;

import dev.superstep.pattern.LinearPattern;
import dev.superstep.state.value.CarrierYield;

/// Bounds the work of all patterns of one check. A text of a megabyte against a thousand patterns
/// is linear too.
final class PatternWork {
  private static final ScopedValue<PatternWork> CURRENT = ScopedValue.newInstance();

  /// In the order of nanoseconds: about a second.
  private static final long WORK_MAX = 1L << 29;

  private long work;

  /// The patterns of a check need too much work.
  static final class ExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExceededException() {
      super("the patterns of the schema take too long to check this value", null, false, false);
    }
  }

  static <R> R bounded(ScopedValue.CallableOp<R, RuntimeException> check) {
    return ScopedValue.where(CURRENT, new PatternWork()).call(check);
  }

  static boolean find(LinearPattern pattern, String text) {
    CURRENT.get().spend(pattern.cost(text.length()));
    return pattern.find(text, PatternWork::pause);
  }

  private void spend(long cost) {
    work += cost;
    if (work > WORK_MAX) {
      throw new ExceededException();
    }
  }

  /// Yields the carrier to other threads.
  private static void pause() {
    if (Thread.currentThread().isInterrupted()) {
      throw new ExceededException();
    }
    CarrierYield.now();
  }
}
