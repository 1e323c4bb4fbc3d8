package dev.superstep.model.stub;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The "model" of the examples: it asks for the first tool that it is offered, with the user's
/// words for every required argument, and then says what the tools said.
final class ExampleModel implements Function<Asked, Reply> {

  @Override
  public Reply apply(Asked asked) {
    if (asked.lastRole().equals("tool")) {
      return Reply.text("The tools say: " + asked.last("tool"));
    }
    var question = asked.last("user");
    if (asked.tools().isEmpty()) {
      return PlannerModel.reply(question).orElseGet(() -> Reply.text("You said: " + question));
    }
    var function = object(asked.tools().getFirst().getOrDefault("function", Map.of()));
    return Reply.calls(
        new Reply.Call(
            "call_" + asked.number(),
            String.valueOf(function.get("name")),
            arguments(object(function.getOrDefault("parameters", Map.of())), question)));
  }

  private static String arguments(Map<String, Object> schema, String question) {
    var out = new StringBuilder("{");
    if (schema.get("required") instanceof List<?> names) {
      for (var name : names) {
        out.append(out.length() > 1 ? "," : "")
            .append(MiniJson.quote(String.valueOf(name)))
            .append(':')
            .append(MiniJson.quote(question));
      }
    }
    return out.append('}').toString();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return value instanceof Map<?, ?> ? (Map<String, Object>) value : Map.of();
  }
}
