package dev.superstep.node.tool.source;

import dev.superstep.json.Json;
import dev.superstep.node.tool.Tool;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A tool that answers from a script of the operator, as scripted models do.
///
/// @param answer `{name}` stands for that argument
record StubTool(Description description, String answer) implements Tool {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z0-9_]+)}");

  static StubTool of(String name, StubToolSettings.Entry entry, Execution execution) {
    return new StubTool(
        new Description(
            name,
            entry.description(),
            (ObjectValue) Json.read(entry.parameters()),
            execution,
            "stub"),
        entry.answer());
  }

  @Override
  public Outcome call(Invocation invocation) {
    return new Outcome.Answered(
        PLACEHOLDER
            .matcher(answer)
            .replaceAll(it -> Matcher.quoteReplacement(argument(invocation, it.group(1)))));
  }

  private static String argument(Invocation invocation, String name) {
    return switch (invocation.arguments().getOr(name, Value.of(""))) {
      case Value.Text(var text) -> text;
      case Value other -> Json.write(other);
    };
  }
}
