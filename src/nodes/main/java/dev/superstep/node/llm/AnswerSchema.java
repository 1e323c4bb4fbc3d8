package dev.superstep.node.llm;

import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.regex.Pattern;

/// Checks a structured answer against its JSON Schema.
///
/// @param json the schema
record AnswerSchema(ObjectValue json, ValueCheck check) {
  private static final Pattern FENCED =
      Pattern.compile("```[A-Za-z]*\\R(.*?)\\R?```", Pattern.DOTALL);

  /// The result of reading a text with this schema.
  sealed interface ReadAnswer {
    record Valid(Value value) implements ReadAnswer {}

    record Invalid(String problems) implements ReadAnswer {}
  }

  ReadAnswer read(String text) {
    try {
      var value = Json.read(bare(text));
      var violations = check.check(value);
      return violations.isEmpty()
          ? new ReadAnswer.Valid(value)
          : new ReadAnswer.Invalid(ValueCheck.inOneLine(violations));
    } catch (JsonException e) {
      return new ReadAnswer.Invalid("it is not JSON: " + e.getMessage());
    }
  }

  /// Models like to wrap JSON in Markdown.
  private static String bare(String text) {
    var fenced = FENCED.matcher(text.strip());
    return fenced.matches() ? fenced.group(1) : text;
  }
}
