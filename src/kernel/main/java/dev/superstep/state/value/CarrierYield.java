package dev.superstep.state.value;

import java.util.concurrent.locks.LockSupport;

/// Lets other threads have the processor in the middle of a long computation. A virtual thread that
/// waits for nothing keeps its carrier, of which there are as many as processors: whatever works
/// through a large value gives it up every now and then.
public final class CarrierYield {
  /// How many bytes to write between two yields: less than a millisecond.
  public static final int EVERY_BYTES = 64 << 10;

  private CarrierYield() {}

  /// Waits for a moment. After `Thread.yield` a carrier may take up the same thread again and again
  /// while others are queued elsewhere.
  public static void now() {
    LockSupport.parkNanos(1);
  }
}
