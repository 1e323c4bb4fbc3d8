package dev.superstep.model.stub;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// What the stub answers.
public sealed interface Reply {

  record Text(String text) implements Reply {}

  record Calls(List<Call> calls) implements Reply {}

  /// The model declines, as structured outputs do it.
  record Refusal(String text) implements Reply {}

  /// The answer was cut.
  ///
  /// @param reason `length` or `content_filter`
  record Cut(String text, String reason) implements Reply {}

  record Status(int status, String body, Map<String, String> headers) implements Reply {}

  /// Status 200 and a body that is no completion.
  record Garbage(String body) implements Reply {}

  /// The connection breaks in the middle of the answer.
  record Broken(String text) implements Reply {}

  /// A streamed answer that stops after its first pieces until the gate opens.
  record Held(String text, CountDownLatch gate) implements Reply {
    static final int PIECES = 3;
  }

  record Late(Duration after, Reply then) implements Reply {}

  /// @param arguments JSON text, unless the model is to make a mistake
  record Call(String id, String name, String arguments) {}

  static Reply text(String text) {
    return new Text(text);
  }

  static Reply calls(Call... calls) {
    return new Calls(List.of(calls));
  }

  /// An error as OpenAI words it.
  static Reply error(int status, String code, String message) {
    var body =
        "{\"error\":{\"message\":%s,\"type\":\"invalid_request_error\",\"param\":null,\"code\":%s}}"
            .formatted(MiniJson.quote(message), MiniJson.quote(code));
    return new Status(status, body, Map.of());
  }

  static Reply rateLimited(String retryAfter) {
    return new Status(
        429,
        "{\"error\":{\"message\":\"Rate limit"
            + " reached\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}",
        Map.of("Retry-After", retryAfter));
  }
}
