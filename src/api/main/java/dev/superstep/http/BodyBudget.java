package dev.superstep.http;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/// Bounds the bytes of all request bodies that are held at a time. A body acquires bytes as they
/// arrive, so that a slow sender takes no more than it has sent, and releases them when its request
/// is over, or waits for a run.
///
/// The begin of each body is free: the number of connections bounds it, and small requests are not
/// kept waiting by large ones.
@Component
final class BodyBudget implements ServletRequestListener {
  static final int FREE_BYTES = 16_384;
  private static final int UNIT_BYTES = 1_024;
  private static final long WAIT_S = 2;
  private static final String SHARE = Share.class.getName();

  private final Semaphore units;
  private final RequestSettings settings;

  BodyBudget(RequestSettings settings) {
    this.settings = settings;
    long bytes = Math.max(settings.bodiesMax().toBytes(), settings.bodyMax().toBytes());
    units = new Semaphore(Math.toIntExact(Math.ceilDiv(bytes, UNIT_BYTES)), true);
  }

  /// Bytes that are not taken.
  long free() {
    return (long) units.availablePermits() * UNIT_BYTES;
  }

  /// Whether a body waits for others to give something back.
  boolean isAwaited() {
    return units.hasQueuedThreads();
  }

  /// The share of a request, nothing so far.
  Share share(ServletRequest request) {
    release(request);
    var share = new Share();
    request.setAttribute(SHARE, share);
    return share;
  }

  static void release(ServletRequest request) {
    if (request.getAttribute(SHARE) instanceof Share share) {
      request.removeAttribute(SHARE);
      share.release();
    }
  }

  @Override
  public void requestDestroyed(ServletRequestEvent event) {
    release(event.getServletRequest());
  }

  /// What one body has taken. For the thread that serves its request.
  final class Share {
    private int taken;

    /// Takes what is missing for that many bytes; waits a little for others to give something back.
    ///
    /// @throws ServiceException `overloaded`
    void cover(long bytes) {
      int missing = (int) Math.ceilDiv(Math.max(bytes - FREE_BYTES, 0), UNIT_BYTES) - taken;
      if (missing <= 0) {
        return;
      }
      if (!acquire(missing)) {
        throw new ServiceException(
            ErrorCode.OVERLOADED,
            "the bodies of all requests together are larger than the %d bytes that superstep.requests.bodies-max allows; try again"
                .formatted(settings.bodiesMax().toBytes()));
      }
      taken += missing;
    }

    private boolean acquire(int missing) {
      try {
        return units.tryAcquire(missing, WAIT_S, TimeUnit.SECONDS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    private void release() {
      units.release(taken);
      taken = 0;
    }
  }
}
