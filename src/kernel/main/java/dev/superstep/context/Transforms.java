package dev.superstep.context;

import dev.superstep.graph.Identifiers;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The transforms of this server by name (P6).
public final class Transforms {
  public static final Transforms BUILT_IN = new Transforms(Map.of());
  private final Map<String, ContextTransform> users;

  private Transforms(Map<String, ContextTransform> users) {
    this.users = users;
  }

  /// The built-in transforms and those of users.
  ///
  /// @throws IllegalArgumentException if a name is none, or that of a built-in transform
  public static Transforms with(Map<String, ContextTransform> users) {
    users.keySet().forEach(Transforms::require);
    return new Transforms(new TreeMap<>(users));
  }

  private static void require(String name) {
    if (!Identifiers.isName(name)) {
      throw new IllegalArgumentException(
          "'%s' is no name for a context transform: definitions write it like a function"
              .formatted(name));
    }
    if (BuiltInTransform.find(name).isPresent()) {
      throw new IllegalArgumentException(
          "'%s' is a built-in context transform and cannot be replaced; rename yours"
              .formatted(name));
    }
  }

  /// A transform as people read about it.
  ///
  /// @param example a call of it
  public record TransformDescription(
      String name, String example, String text, TransformOrigin origin) {}

  /// Where a transform comes from.
  public enum TransformOrigin {
    BUILT_IN,
    REGISTERED
  }

  /// By name.
  public List<TransformDescription> all() {
    var all = new ArrayList<TransformDescription>();
    for (var it : BuiltInTransform.values()) {
      all.add(
          new TransformDescription(it.key(), it.example(), it.text(), TransformOrigin.BUILT_IN));
    }
    users.forEach((name, it) ->
        all.add(
            new TransformDescription(name, name, it.description(), TransformOrigin.REGISTERED)));
    all.sort(Comparator.comparing(TransformDescription::name));
    return all;
  }

  /// The result of reading a call: the call itself, or why it is invalid, with the code
  /// `unknown_transform` or `invalid_transform`.
  public sealed interface Parsed {
    record ParsedCall(TransformCall call) implements Parsed {}

    record RefusedCall(String code, String message) implements Parsed {}
  }

  /// Reads `name` or `name(literals)`.
  public Parsed parse(String source) {
    return CallText.read(source)
        .map(it -> resolve(source, it))
        .orElseGet(() ->
            new Parsed.RefusedCall(
                "invalid_transform",
                "'%s' is no call; write a name or a name with literal arguments, such as truncate(200)"
                    .formatted(source)));
  }

  private Parsed resolve(String source, CallText call) {
    var builtIn = BuiltInTransform.find(call.name());
    if (builtIn.isPresent()) {
      return builtIn.get().call(source, call.arguments());
    }
    var user = users.get(call.name());
    if (user == null) {
      return new Parsed.RefusedCall(
          "unknown_transform",
          "this server has no transform '%s'; it has %s"
              .formatted(
                  call.name(),
                  String.join(", ", all().stream().map(TransformDescription::name).toList())));
    }
    return user.refuse(call.arguments())
        .<Parsed>map(it -> new Parsed.RefusedCall("invalid_transform", source + ": " + it))
        .orElseGet(() -> new Parsed.ParsedCall(ofValue(source, user, call.arguments())));
  }

  private static TransformCall ofValue(
      String source, ContextTransform transform, List<Value> arguments) {
    return new TransformCall.OfValue(source, transform, arguments);
  }

  /// A call that has been validated.
  ///
  /// @throws IllegalArgumentException if it is not
  public TransformCall call(String source) {
    return switch (parse(source)) {
      case Parsed.ParsedCall(var call) -> call;
      case Parsed.RefusedCall(_, var message) -> throw new IllegalArgumentException(message);
    };
  }
}
