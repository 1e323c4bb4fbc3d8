package dev.superstep.context;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The transforms that every server has (P6). Those for text leave other values unchanged, so that
/// a pattern may match values of mixed types; `mask`, `constant` and `json` take any value.
enum BuiltInTransform {
  CONSTANT("constant('x')", TransformInput.ANY, "Replaces the value."),
  DEFAULT(
      "default('x')",
      TransformInput.ANY,
      "Replaces null; adds the key if the pattern is one and it is absent."),
  JSON("json", TransformInput.NOTHING, "Writes the value as JSON text."),
  LOWER("lower", TransformInput.NOTHING, "Makes a text lower-case."),
  MASK("mask", TransformInput.NOTHING, "Replaces any value by '***'."),
  PREFIX("prefix('x')", TransformInput.TEXT, "Puts a text before a text."),
  RENAME(
      "rename('to.*')",
      TransformInput.TEXT,
      "Renames the key; a star stands for what the pattern's star matched."),
  TRIM("trim", TransformInput.NOTHING, "Strips white space from both ends of a text."),
  TRUNCATE("truncate(200)", TransformInput.LENGTH, "Keeps the first characters of a text."),
  UPPER("upper", TransformInput.NOTHING, "Makes a text upper-case.");

  private static final Value MASKED = Value.of("***");
  private final String example;
  private final TransformInput takes;
  private final String text;

  BuiltInTransform(String example, TransformInput takes, String text) {
    this.example = example;
    this.takes = takes;
    this.text = text;
  }

  /// What arguments a transform wants.
  private enum TransformInput {
    NOTHING("takes no argument"),
    ANY("takes one argument"),
    TEXT("takes one argument, a string"),
    LENGTH("takes one argument, a length from 0");

    private final String rule;

    TransformInput(String rule) {
      this.rule = rule;
    }

    boolean fits(List<Value> arguments) {
      return switch (this) {
        case NOTHING -> arguments.isEmpty();
        case ANY -> arguments.size() == 1;
        case TEXT -> arguments.size() == 1 && arguments.getFirst() instanceof Value.Text;
        case LENGTH ->
            arguments.size() == 1
                && arguments.getFirst() instanceof Value.Int(var number)
                && number >= 0
                && number <= Integer.MAX_VALUE;
      };
    }
  }

  static Optional<BuiltInTransform> find(String name) {
    return Stream.of(values()).filter(it -> it.key().equals(name)).findFirst();
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  String example() {
    return example;
  }

  String text() {
    return text;
  }

  Transforms.Parsed call(String source, List<Value> arguments) {
    if (!takes.fits(arguments)) {
      return new Transforms.Parsed.RefusedCall(
          "invalid_transform",
          "'%s': %s %s, such as %s".formatted(source, key(), takes.rule, example));
    }
    return new Transforms.Parsed.ParsedCall(
        switch (this) {
          case RENAME -> new TransformCall.Rename(source, string(arguments.getFirst()));
          case DEFAULT -> new TransformCall.Default(source, arguments.getFirst());
          case CONSTANT, JSON, LOWER, MASK, PREFIX, TRIM, TRUNCATE, UPPER ->
              new TransformCall.OfValue(source, this::apply, arguments);
        });
  }

  private Value apply(Value value, List<Value> arguments) {
    return switch (this) {
      case CONSTANT -> arguments.getFirst();
      case JSON -> Value.of(Canonical.text(value));
      case MASK -> MASKED;
      case LOWER -> onText(value, it -> it.toLowerCase(Locale.ROOT));
      case UPPER -> onText(value, it -> it.toUpperCase(Locale.ROOT));
      case TRIM -> onText(value, String::strip);
      case PREFIX -> onText(value, it -> string(arguments.getFirst()) + it);
      case TRUNCATE -> onText(value, it -> truncate(it, arguments.getFirst()));
      case DEFAULT, RENAME -> value;
    };
  }

  private static Value onText(Value value, UnaryOperator<String> change) {
    return value instanceof Value.Text(var text) ? Value.of(change.apply(text)) : value;
  }

  private static String string(Value value) {
    return value instanceof Value.Text(var text) ? text : "";
  }

  /// Counts code points, so that no character is cut in half.
  private static String truncate(String text, Value length) {
    long max = length instanceof Value.Int(var number) ? number : 0;
    return text.codePointCount(0, text.length()) <= max
        ? text
        : text.substring(0, text.offsetByCodePoints(0, (int) max));
  }
}
