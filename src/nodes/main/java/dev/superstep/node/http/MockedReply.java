package dev.superstep.node.http;

import dev.superstep.engine.task.TaskFailedException;
import dev.superstep.node.outbound.HttpReply;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Makes the reply that a test describes: `{status, headers, body}`.
final class MockedReply {
  private static final Set<String> KEYS = Set.of("status", "headers", "body");
  private static final String TYPE = "content-type";

  private MockedReply() {}

  static HttpReply of(URI uri, Value mock) {
    if (!(mock instanceof ObjectValue reply) || !KEYS.containsAll(reply.asMap().keySet())) {
      throw TaskFailedException.permanent(
          "bad_mock",
          "the mock of an http node is the response: {status: 200, headers: {}, body: …}");
    }
    int status =
        reply.get("status") instanceof Value.Int(var number) && number >= 100 && number < 600
            ? Math.toIntExact(number)
            : 200;
    var body = reply.getOr("body", Value.NULL);
    return new HttpReply(uri, status, headers(reply, body), bytes(body));
  }

  private static Map<String, String> headers(ObjectValue reply, Value body) {
    var headers = new LinkedHashMap<String, String>();
    if (!(body instanceof Value.Null)) {
      headers.put(
          TYPE, body instanceof Value.Text ? "text/plain; charset=utf-8" : "application/json");
    }
    if (reply.get("headers") instanceof ObjectValue given) {
      given.forEach((name, value) ->
          headers.put(
              name.toLowerCase(Locale.ROOT),
              value instanceof Value.Text(var text) ? text : Canonical.text(value)));
    }
    return headers;
  }

  private static byte[] bytes(Value body) {
    return switch (body) {
      case Value.Null _ -> new byte[0];
      case Value.Text(var text) -> text.getBytes(StandardCharsets.UTF_8);
      case Value other -> Canonical.bytes(other);
    };
  }
}
