package dev.superstep.run.check;

import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.run.IfBusy;
import dev.superstep.run.StartRun;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Optional;

/// Hashes requests to start a run, to detect a repeated one under the same id.
public final class RequestHash {
  private RequestHash() {}

  /// SHA-256 over the content of the request, in canonical form.
  public static byte[] of(StartRun request) {
    return of(request, "sync");
  }

  /// Whether this request has the hash that this release, or an earlier one, has stored. Earlier
  /// ones hashed the durability, too.
  public static boolean matches(StartRun request, byte[] stored) {
    return StartRun.DURABILITIES.stream()
        .anyMatch(it -> MessageDigest.isEqual(stored, of(request, it)));
  }

  private static byte[] of(StartRun request, String durability) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(Canonical.bytes(value(request, durability)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static Value value(StartRun request, String durability) {
    var options = request.options();
    var metadata = new HashMap<String, Value>();
    request.metadata().forEach((key, value) -> metadata.put(key, Value.of(value)));
    var hashed =
        ListValue.of(
            Value.of(request.graph()),
            orNull(request.version().map(it -> Value.of((long) it))),
            request.input(),
            orNull(request.context()),
            orNull(request.thread().map(Value::of)),
            ObjectValue.of(metadata),
            text(HeadCodec.bytes(options.limits())),
            text(HeadCodec.bytes(options.breakpoints())),
            Value.of((long) options.priority()),
            Value.of(durability),
            orNull(options.startAt().map(it -> Value.of(it.toString()))));
    // Keeps the hashes of requests from before these parts existed.
    var requested =
        options.ifBusy() == IfBusy.REJECT
            ? hashed
            : ListValue.of(hashed, Value.of(options.ifBusy().apiName()));
    var given = options.params().isEmpty() ? requested : ListValue.of(requested, options.params());
    var edited =
        request.edit().isEmpty() ? given : ListValue.of(given, request.edit().value(), Value.NULL);
    var placed =
        options
            .from()
            .map(it ->
                (Value) ListValue.of(edited, Value.of(it.run()), Value.of((long) it.checkpoint())))
            .orElse(edited);
    return options.webhooks().isEmpty()
        ? placed
        : ListValue.of(placed, options.webhooks().value(), Value.NULL, Value.NULL);
  }

  private static Value orNull(Optional<? extends Value> value) {
    return value.isPresent() ? value.get() : Value.NULL;
  }

  private static Value text(byte[] utf8) {
    return Value.of(new String(utf8, StandardCharsets.UTF_8));
  }
}
