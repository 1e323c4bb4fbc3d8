package dev.superstep.node.http;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.expression.Expression;
import dev.superstep.secret.SecretsOfCall;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/// The headers of a node's requests: those the node configures, and those every call carries
/// (definitions.md, *HTTP node*; E40).
record Headers(Expression configured, SecretHeaders secrets) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

  /// Headers that the connection decides.
  private static final Set<String> CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /// What Superstep promises.
  private static final Set<String> OWN =
      Set.of("idempotency-key", "superstep-attempt", "superstep-deadline", "traceparent");

  /// Why a node may not configure this header; empty if it may.
  public static Optional<String> refusal(String name) {
    var lower = name.toLowerCase(Locale.ROOT);
    if (!NAME.matcher(name).matches()) {
      return Optional.of("'%s' is no header name".formatted(name));
    }
    if (CONNECTION.contains(lower) || lower.startsWith("proxy-")) {
      return Optional.of("header '%s' belongs to the connection; leave it out".formatted(name));
    }
    return OWN.contains(lower)
        ? Optional.of("header '%s' is set by Superstep; leave it out".formatted(name))
        : Optional.empty();
  }

  /// Those that hold no secrets.
  public Headers withoutSecrets() {
    return new Headers(configured, new SecretHeaders(Map.of(), secrets.released()));
  }

  /// Names of headers know no case: of two that differ in nothing else one would be lost.
  public static String twice(String name) {
    return "header '%s' stands there twice, in other letters; leave one out".formatted(name);
  }

  /// @throws BadRequestException if a template gave a header that cannot be sent
  public Map<String, String> of(NodeCall call, URI uri, SecretsOfCall sent) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    switch (configured.evaluate(call)) {
      case Value.Null _ -> {}
      case ObjectValue object -> object.forEach((name, value) -> add(headers, name, value));
      case Value other ->
          throw new BadRequestException("headers must be an object; got " + other.typeName());
    }
    secrets.add(headers, call.run().graph(), uri, sent);
    headers.put("Idempotency-Key", call.idempotencyKey());
    headers.put("Superstep-Attempt", Integer.toString(call.attempt()));
    call.deadline().ifPresent(it -> headers.put("Superstep-Deadline", it.toString()));
    headers.put("traceparent", traceparent(call));
    return headers;
  }

  private static void add(Map<String, String> headers, String name, Value value) {
    refusal(name)
        .or(() -> headers.containsKey(name) ? Optional.of(twice(name)) : Optional.empty())
        .ifPresent(it -> {
          throw new BadRequestException(it);
        });
    switch (value) {
      case Value.Null _ -> {}
      case Value.Text(var text) -> headers.put(name, checked(name, text));
      case Value.Bool _, Value.Int _, Value.Real _ -> headers.put(name, Canonical.text(value));
      case Value other ->
          throw new BadRequestException(
              "header '%s' must be a text; got %s".formatted(name, other.typeName()));
    }
  }

  /// A line break in a value would begin another header.
  private static String checked(String name, String value) {
    if (value.chars().anyMatch(it -> (it < 0x20 && it != '\t') || it == 0x7f || it > 0xff)) {
      throw new BadRequestException(
          "header '%s' holds a character that a header cannot carry".formatted(name));
    }
    return value.strip();
  }

  /// W3C trace context: where tracing is disabled and the run has no parent trace, one trace for
  /// each run, one span for each attempt.
  private static String traceparent(NodeCall call) {
    var given = call.span().traceparent();
    if (given.isPresent()) {
      return given.get();
    }
    var span = hex(call.idempotencyKey() + "#" + call.attempt()).substring(0, 16);
    return "00-" + hex(call.run().id()) + "-" + span + "-01";
  }

  private static String hex(String name) {
    var id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    return id.toString().replace("-", "");
  }
}
