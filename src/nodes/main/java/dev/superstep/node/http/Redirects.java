package dev.superstep.node.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/// Sends a request and, if the node wants that, follows redirects, each checked like the first
/// request.
final class Redirects {
  static final int HOPS_MAX = 5;
  private final Sender sender;

  Redirects(Sender sender) {
    this.sender = sender;
  }

  /// Sends one request.
  @FunctionalInterface
  interface Sender {
    /// @param lineListener receives a streamed answer while it arrives
    HttpReply send(HttpCall call, Duration timeout, LineListener lineListener)
        throws IOException, InterruptedException, TimeoutException;
  }

  /// Whether to follow.
  public enum Follow {
    YES,
    NO
  }

  /// The last answer; it is a redirect if redirects are not followed, or if there were too many.
  ///
  /// @param timeout for all hops together
  HttpReply send(HttpCall first, Follow follow, Duration timeout)
      throws IOException, InterruptedException, TimeoutException {
    return send(first, follow, timeout, LineListener.NONE);
  }

  /// @param lineListener receives a streamed answer while it arrives
  public HttpReply send(HttpCall first, Follow follow, Duration timeout, LineListener lineListener)
      throws IOException, InterruptedException, TimeoutException {
    long end = System.nanoTime() + timeout.toNanos();
    var call = first;
    var reply = sender.send(call, timeout, lineListener);
    for (int hop = 0; hop < HOPS_MAX && follow == Follow.YES && reply.isRedirect(); hop++) {
      var target = Urls.redirect(call.uri(), reply.headers().getOrDefault("location", ""));
      call = call.redirected(reply.status(), target);
      reply = sender.send(call, left(end), lineListener);
    }
    return reply;
  }

  private static Duration left(long end) throws TimeoutException {
    var left = Duration.ofNanos(end - System.nanoTime());
    if (!left.isPositive()) {
      throw new TimeoutException();
    }
    return left;
  }
}
