package dev.superstep.node.outbound;

import dev.superstep.node.outbound.Redirects.Follow;
import dev.superstep.node.outbound.egress.BadRequestException;
import dev.superstep.node.outbound.egress.Urls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.ConnectTimeoutException;

/// Calls web services for callers other than HTTP nodes, behind the same guard: egress policy,
/// limits of size and time, no redirects.
public final class Outbound {
  private final HttpCalls calls;

  public Outbound(HttpCalls calls) {
    this.calls = calls;
  }

  /// @param body "": none
  public record Request(String method, String url, Map<String, String> headers, String body) {}

  /// The outcome of a request.
  public sealed interface Answer {

    record Reply(int status, String text) implements Answer {}

    /// It was not sent.
    record Refused(String message) implements Answer {}

    /// It is unknown whether the request was carried out.
    record Lost(String message) implements Answer {}
  }

  /// Why a URL cannot be called, independent of the egress policy; empty if it can.
  public static Optional<String> refusal(String url) {
    try {
      Urls.parse(url);
      return Optional.empty();
    } catch (BadRequestException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /// Why this header may not be configured; empty if it may.
  public static Optional<String> headerRefusal(String name) {
    return Headers.refusal(name);
  }

  public Answer send(Request request, Duration timeout) throws InterruptedException {
    var body = request.body().getBytes(StandardCharsets.UTF_8);
    if (body.length > calls.requestMax()) {
      return new Answer.Refused(
          "the request has %d bytes; superstep.http.request-max allows %d"
              .formatted(body.length, calls.requestMax()));
    }
    try {
      var uri = Urls.parse(request.url());
      var call =
          body.length == 0
              ? new HttpCall(request.method(), uri, request.headers(), null)
              : new HttpCall(request.method(), uri, request.headers(), body);
      return send(call, timeout);
    } catch (BadRequestException e) {
      return new Answer.Refused(String.valueOf(e.getMessage()));
    }
  }

  private Answer send(HttpCall call, Duration timeout) throws InterruptedException {
    try {
      var reply = calls.redirects().send(call, Follow.NO, timeout);
      return reply.isRedirect()
          ? new Answer.Refused(HttpFailures.redirect(reply).message())
          : new Answer.Reply(reply.status(), reply.text().orElse("(bytes that are no text)"));
    } catch (ConnectException | ConnectTimeoutException | UnknownHostException e) {
      return new Answer.Refused(HttpFailures.exchange(call.uri(), e).message());
    } catch (IOException | TimeoutException e) {
      return new Answer.Lost(HttpFailures.exchange(call.uri(), e).message());
    }
  }
}
