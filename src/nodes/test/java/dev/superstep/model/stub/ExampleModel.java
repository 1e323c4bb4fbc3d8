package dev.superstep.model.stub;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/// The "model" of the benchmarks: it asks for the first tool that it is offered, with the user's
/// words for every required argument, and then says what the tools said. Who says "7 times: Paris"
/// is told after seven calls, one after the other, with "Paris".
final class ExampleModel implements Function<Asked, Reply> {
  private static final Pattern TIMES = Pattern.compile("(\\d{1,2}) times: (.*)");

  @Override
  public Reply apply(Asked asked) {
    var words = TIMES.matcher(asked.last("user"));
    boolean repeated = words.matches();
    var question = repeated ? words.group(2) : asked.last("user");
    int wanted = repeated ? Integer.parseInt(words.group(1)) : 1;
    if (asked.lastRole().equals("tool") && told(asked) >= wanted) {
      return Reply.text("The tools say: " + asked.last("tool"));
    }
    if (asked.tools().isEmpty()) {
      return Reply.text("You said: " + question);
    }
    var function = object(asked.tools().getFirst().getOrDefault("function", Map.of()));
    return Reply.calls(
        new Reply.Call(
            "call_" + asked.number(),
            String.valueOf(function.get("name")),
            arguments(object(function.getOrDefault("parameters", Map.of())), question)));
  }

  private static long told(Asked asked) {
    return asked.messages().stream().filter(it -> "tool".equals(it.get("role"))).count();
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
