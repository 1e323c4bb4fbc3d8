package dev.superstep.json;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.Value;
import java.util.Optional;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;

/// Resolves YAML scalars by the core schema.
final class YamlScalars {
  private static final boolean NO_MERGE_KEY = false;
  private final ScalarResolver core = new CoreScalarResolver(NO_MERGE_KEY);
  private final JsonProblems jsonProblems;

  YamlScalars(JsonProblems jsonProblems) {
    this.jsonProblems = jsonProblems;
  }

  Value value(ScalarEvent scalar, String pointer) {
    refuse(scalar.getTag(), pointer, scalar);
    var text = scalar.getValue();
    var tag = scalar.isPlain() ? tag(text) : Tag.STR;
    if (tag.equals(Tag.NULL)) {
      return Value.NULL;
    }
    if (tag.equals(Tag.BOOL)) {
      return Value.of(text.equalsIgnoreCase("true"));
    }
    if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
      return number(text, pointer, scalar);
    }
    Scalars.flaw(text)
        .ifPresent(
            code -> jsonProblems.add(problem(code, pointer, Scalars.flawMessage(code), scalar)));
    return Value.of(text);
  }

  /// The expressions that distinguish numbers from words scan long texts repeatedly.
  private Tag tag(String text) {
    if (text.length() <= Scalars.LITERAL_MAX) {
      return core.resolve(text, true);
    }
    boolean number =
        text.startsWith("0x")
            || text.startsWith("0o")
            || text.chars().allMatch(it -> "+-.0123456789eE".indexOf(it) >= 0);
    return number ? Tag.FLOAT : Tag.STR;
  }

  /// Notes that explicit tags are not allowed.
  void refuse(Optional<String> tag, String pointer, Event at) {
    tag.ifPresent(it ->
        jsonProblems.add(
            problem(
                JsonCodes.YAML_TAG,
                pointer,
                "tags such as %s are not allowed; remove it"
                    .formatted(it.replace("tag:yaml.org,2002:", "!!")),
                at)));
  }

  private Value number(String literal, String pointer, ScalarEvent at) {
    return parse(literal)
        .orElseGet(() -> {
          jsonProblems.add(problem(JsonCodes.NUMBER, pointer, Scalars.numberMessage(literal), at));
          return Value.NULL;
        });
  }

  private static Optional<Value> parse(String literal) {
    if (literal.startsWith("0x")) {
      return based(literal, 16);
    }
    return literal.startsWith("0o") ? based(literal, 8) : Scalars.number(literal);
  }

  private static Optional<Value> based(String literal, int radix) {
    try {
      return Optional.of(Value.of(Long.parseLong(literal.substring(2), radix)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  static Violation problem(String code, String pointer, String message, Event at) {
    var mark = at.getStartMark();
    return new Violation(
        pointer,
        code,
        message,
        mark.map(it -> it.getLine() + 1).orElse(0),
        mark.map(it -> it.getColumn() + 1).orElse(0));
  }
}
