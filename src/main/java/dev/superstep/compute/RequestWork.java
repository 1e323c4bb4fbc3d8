package dev.superstep.compute;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/// The work of one request over what is stored, counted in steps of some tens of nanoseconds. All
/// that a request compares, opens and writes has one budget, however it is divided; the count is
/// the same everywhere, so that a request that is refused on one replica is refused on all.
///
/// While it counts it lets others have the processor, and ends when the client has gone or the
/// server stops. Confined to the thread that serves the request.
public final class RequestWork implements LongConsumer {
  static final long STEPS_MAX = 10_000_000;

  /// Less than a millisecond.
  private static final long LOOK_EVERY = 1 << 14;

  private long steps;
  private long lookAt = LOOK_EVERY;

  /// Pays for work, before it is done.
  ///
  /// @throws ServiceException `limit_exceeded`; `bad_request` when the client has gone,
  ///   `overloaded` when the server stops
  @Override
  public void accept(long more) {
    steps += more;
    if (steps > STEPS_MAX) {
      throw new ServiceException(
          ErrorCode.LIMIT_EXCEEDED,
          "this takes more than the %d steps that one request may cost; ask for less at a time"
              .formatted(STEPS_MAX));
    }
    if (steps >= lookAt) {
      lookAt = steps + LOOK_EVERY;
      look();
    }
  }

  /// A virtual thread gives its carrier to others only when it waits.
  private static void look() {
    if (Thread.currentThread().isInterrupted()) {
      throw new ServiceException(ErrorCode.OVERLOADED, "the service is stopping; try again");
    }
    if (Client.CURRENT.orElse(() -> false).hasGone()) {
      throw new ServiceException(
          ErrorCode.BAD_REQUEST, "the client closed its connection while its request was computed");
    }
    LockSupport.parkNanos(1);
  }
}
