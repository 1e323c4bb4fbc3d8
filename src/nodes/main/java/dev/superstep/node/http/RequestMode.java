package dev.superstep.node.http;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.expression.Expression;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Scope;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.node.ResultTemplate;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Sends the configured request and makes the node result from the answer.
///
/// @param success over `response`; empty: any 2xx
/// @param bodies what the body of a successful response must satisfy
/// @param result over `response`
/// @param response which response is meant by that
record RequestMode(
    String method,
    Expression body,
    Optional<Condition> success,
    ValueCheck bodies,
    ResultTemplate result,
    AnswerKind response)
    implements Mode {

  /// By whom the node is answered.
  enum AnswerKind {
    BY_REPLY,
    /// Whatever the service replies, if only it does: the answer comes later (E51).
    BY_CALLBACK
  }

  @Override
  public HttpCall request(NodeCall call, URI uri, Map<String, String> headers) {
    var content = body.evaluate(call);
    if (content instanceof Value.Null) {
      return new HttpCall(method, uri, headers);
    }
    var all = new LinkedHashMap<>(headers);
    boolean typed = headers.keySet().stream().anyMatch("content-type"::equalsIgnoreCase);
    if (content instanceof Value.Text(var text)) {
      if (!typed) {
        all.put("Content-Type", "text/plain; charset=utf-8");
      }
      return new HttpCall(method, uri, all, text.getBytes(StandardCharsets.UTF_8));
    }
    if (!typed) {
      all.put("Content-Type", "application/json");
    }
    return new HttpCall(method, uri, all, Canonical.bytes(content));
  }

  @Override
  public HttpReply reply(URI uri, Value mock) {
    return MockedReply.of(uri, mock);
  }

  /// A body that cannot be read does not hide a failure, but no success can be built on it.
  @Override
  public Outcome outcome(NodeCall call, HttpReply reply, HttpFailures httpFailures) {
    var body = RequestBodyValue.of(reply);
    var scope = call.with("response", describe(reply, body.value()));
    if (!success.map(it -> it.test(scope)).orElse(reply.isSuccess())) {
      return new Outcome.Failed(httpFailures.status(reply, call.clock()));
    }
    if (response == AnswerKind.BY_CALLBACK) {
      return new Outcome.Done(NodeResult.NOTHING);
    }
    if (body.problem().isPresent()) {
      return Mode.badResult(
          "the body from %s: %s".formatted(Urls.origin(reply.uri()), body.problem().get()));
    }
    return checked("the body from " + Urls.origin(reply.uri()), body.value(), scope);
  }

  @Override
  public Outcome answered(NodeCall call, Value answer) {
    return checked("the answer to the callback", answer, call.with("response", answer));
  }

  private Outcome checked(String what, Value value, Scope scope) {
    var mismatches = bodies.check(value);
    return mismatches.isEmpty()
        ? result.outcome(scope)
        : Mode.badResult(
            "%s does not satisfy response_schema: %s"
                .formatted(what, ValueCheck.inOneLine(mismatches)));
  }

  private static ObjectValue describe(HttpReply reply, Value body) {
    var headers = new LinkedHashMap<String, Value>();
    reply.headers().forEach((name, value) -> headers.put(name, Value.of(value)));
    return ObjectValue.of("status", reply.status())
        .plus("headers", ObjectValue.of(headers))
        .plus("body", body);
  }

  /// @param value null where there is no body, or none that can be read
  /// @param problem why it cannot be read
  private record RequestBodyValue(Value value, Optional<String> problem) {

    static RequestBodyValue of(HttpReply reply) {
      if (reply.body().length == 0) {
        return new RequestBodyValue(Value.NULL, Optional.empty());
      }
      var text = reply.text().filter(Json::isStorable);
      if (text.isEmpty()) {
        return new RequestBodyValue(Value.NULL, Optional.of("is no text"));
      }
      return reply.isJson()
          ? parse(text.get())
          : new RequestBodyValue(Value.of(text.get()), Optional.empty());
    }

    private static RequestBodyValue parse(String text) {
      try {
        return new RequestBodyValue(Json.read(text), Optional.empty());
      } catch (JsonException e) {
        return new RequestBodyValue(
            Value.of(text), Optional.of("is no JSON: " + e.problems().getFirst()));
      }
    }
  }

  /// Makes the reply that a test describes: `{status, headers, body}`.
  private static final class MockedReply {
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
}
