package dev.superstep.node.http;

import dev.superstep.node.http.Redirects.Follow;
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
  private final Redirects brief;

  /// @param brief sends what is answered with little that matters
  Outbound(HttpCalls calls, Redirects.Sender brief) {
    this.calls = calls;
    this.brief = new Redirects(brief);
  }

  /// For definitions that are read, and never run: it reaches nothing, and sets nothing up.
  public static Outbound closed() {
    Redirects.Sender nowhere =
        (call, _, _) -> {
          throw new ConnectException("%s is not called from here".formatted(call.uri()));
        };
    return new Outbound(
        new HttpCalls(new Redirects(nowhere), new HttpFailures(Duration.ZERO), Duration.ZERO, 0),
        nowhere);
  }

  HttpCalls calls() {
    return calls;
  }

  /// @param body "": none
  public record Request(String method, String url, Map<String, String> headers, String body) {}

  /// The outcome of a request.
  public sealed interface OutboundAnswer {

    /// @param retryAfter the header of that name
    record Reply(int status, String text, Optional<String> retryAfter) implements OutboundAnswer {}

    /// It was not sent.
    record RefusedRequest(String message) implements OutboundAnswer {}

    /// It is unknown whether the request was carried out.
    record Lost(String message) implements OutboundAnswer {}
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

  /// The server that a URL names: scheme, host and port.
  ///
  /// @throws IllegalArgumentException if it cannot be called
  public static String server(String url) {
    return Urls.origin(Urls.parse(url));
  }

  public OutboundAnswer send(Request request, Duration timeout) throws InterruptedException {
    return send(request, timeout, calls.redirects());
  }

  /// Sends what is answered with a status: of the body of the answer only the beginning is read.
  public OutboundAnswer sendBriefly(Request request, Duration timeout) throws InterruptedException {
    return send(request, timeout, brief);
  }

  private OutboundAnswer send(Request request, Duration timeout, Redirects redirects)
      throws InterruptedException {
    var body = request.body().getBytes(StandardCharsets.UTF_8);
    if (body.length > calls.requestMax()) {
      return new OutboundAnswer.RefusedRequest(
          "the request has %d bytes; superstep.http.request-max allows %d"
              .formatted(body.length, calls.requestMax()));
    }
    try {
      var uri = Urls.parse(request.url());
      var call =
          body.length == 0
              ? new HttpCall(request.method(), uri, request.headers())
              : new HttpCall(request.method(), uri, request.headers(), body);
      return send(call, timeout, redirects);
    } catch (BadRequestException e) {
      return new OutboundAnswer.RefusedRequest(String.valueOf(e.getMessage()));
    }
  }

  private static OutboundAnswer send(HttpCall call, Duration timeout, Redirects redirects)
      throws InterruptedException {
    try {
      var reply = redirects.send(call, Follow.NO, timeout);
      return reply.isRedirect()
          ? new OutboundAnswer.RefusedRequest(HttpFailures.redirect(reply).message())
          : new OutboundAnswer.Reply(
              reply.status(),
              reply.text().orElse("(bytes that are no text)"),
              reply.header("retry-after"));
    } catch (ConnectException | ConnectTimeoutException | UnknownHostException e) {
      return new OutboundAnswer.RefusedRequest(HttpFailures.exchange(call.uri(), e).message());
    } catch (IOException | TimeoutException e) {
      return new OutboundAnswer.Lost(HttpFailures.exchange(call.uri(), e).message());
    }
  }
}
