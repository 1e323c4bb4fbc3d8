package dev.superstep.node.http;

import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.transport.BodyDecoder;
import dev.superstep.transport.RetryAfter;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.MessageConstraintException;

/// Maps failed HTTP calls to error codes and decides whether another attempt may help
/// (definitions.md, *HTTP node*).
final class HttpFailures {
  public static final String BAD_RESULT = "bad_node_result";
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  private static final Pattern CONTROLS = Pattern.compile("\\p{Cntrl}+");
  private static final int EXCERPT_CHARS = 500;
  private final Duration retryAfterMax;

  public HttpFailures(Duration retryAfterMax) {
    this.retryAfterMax = retryAfterMax;
  }

  /// An answer whose status means failure, or that the node's `success` refused.
  public TaskError status(HttpReply reply, Instant now) {
    var problem = problem(reply);
    var code = problem.flatMap(it -> it.findText("code")).filter(it -> CODE.matcher(it).matches());
    var retryable = isRetryable(reply.status()) ? Retryable.YES : Retryable.NO;
    var pause =
        retryable == Retryable.NO
            ? Optional.<Duration>empty()
            : reply.header("retry-after").flatMap(it -> RetryAfter.parse(it, now, retryAfterMax));
    return new TaskError(
        code.orElse("http_" + reply.status()),
        "%s answered %d%s"
            .formatted(Urls.origin(reply.uri()), reply.status(), said(reply, problem)),
        retryable,
        pause,
        ObjectValue.of("status", reply.status()));
  }

  public static TaskError redirect(HttpReply reply) {
    return TaskError.permanent(
            "http_" + reply.status(),
            "%s redirects to another URL; call that one, or set follow_redirects: true"
                .formatted(Urls.origin(reply.uri())))
        .with("status", Value.of((long) reply.status()));
  }

  public static TaskError tooManyRedirects(HttpReply reply) {
    return TaskError.permanent(
        "http_" + reply.status(),
        "gave up after %d redirects, the last from %s"
            .formatted(Redirects.HOPS_MAX, Urls.origin(reply.uri())));
  }

  /// An exchange without an answer.
  public static TaskError exchange(URI uri, Exception thrown) {
    var origin = Urls.origin(uri);
    return switch (thrown) {
      case EgressRefusedException e ->
          TaskError.permanent("egress_refused", String.valueOf(e.getMessage()));
      case BodyDecoder.TooLargeException e ->
          TaskError.permanent(
              BAD_RESULT,
              "%s: the answer is larger than superstep.http.response-max (%d bytes)"
                  .formatted(origin, e.bytesMax()));
      case BodyDecoder.EncodingException e ->
          new TaskError(
              BAD_RESULT,
              "%s: %s".formatted(origin, e.getMessage()),
              isRetryable(e.status()) ? Retryable.YES : Retryable.NO,
              Optional.empty(),
              ObjectValue.of("status", e.status()));
      case MessageConstraintException _ ->
          TaskError.permanent(
              BAD_RESULT,
              origin + ": the answer's headers exceed superstep.http.headers-max or .header-max");
      case UnknownHostException _ ->
          TaskError.retryable(
              "http_unreachable", "the host of %s has no address".formatted(origin));
      case ConnectTimeoutException _ ->
          TaskError.retryable("http_unreachable", "no connection to %s in time".formatted(origin));
      case TimeoutException _, SocketTimeoutException _ ->
          TaskError.retryable("node_timeout", "no answer from %s in time".formatted(origin));
      case IOException e ->
          TaskError.retryable("http_unreachable", "%s: %s".formatted(origin, describe(e)));
      default -> throw new IllegalArgumentException(thrown);
    };
  }

  static boolean isRetryable(int status) {
    return status == 408 || status == 425 || status == 429 || status >= 500;
  }

  private static String describe(IOException e) {
    return e.getMessage() == null ? "the connection failed" : e.getMessage();
  }

  private static Optional<ObjectValue> problem(HttpReply reply) {
    if (!reply.mediaType().equals("application/problem+json")) {
      return Optional.empty();
    }
    try {
      return Json.read(reply.body()) instanceof ObjectValue object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JsonException e) {
      return Optional.empty();
    }
  }

  /// The shortened body of the answer.
  private static String said(HttpReply reply, Optional<ObjectValue> problem) {
    var words =
        problem
            .flatMap(it -> it.findText("detail").or(() -> it.findText("title")))
            .or(reply::text)
            .map(it -> CONTROLS.matcher(it).replaceAll(" ").strip())
            .orElse("");
    var excerpt =
        words.codePointCount(0, words.length()) <= EXCERPT_CHARS
            ? words
            : words.substring(0, words.offsetByCodePoints(0, EXCERPT_CHARS)) + "…";
    return excerpt.isEmpty() ? "" : ": " + excerpt;
  }
}
