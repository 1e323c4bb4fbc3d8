package dev.superstep.model;

import dev.superstep.engine.run.TaskError;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.problem.Setting;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Options of a call by the names that most providers use. An unknown one, or one of a wrong type,
/// is an error: an option that is silently ignored is worse.
public final class ModelOptions {
  private static final Set<String> NUMBERS =
      Set.of("temperature", "top_p", "frequency_penalty", "presence_penalty");
  private static final Set<String> INTEGERS = Set.of("max_tokens", "top_k", "seed");
  private static final String STOP = "stop";
  private static final String EFFORT = "reasoning_effort";
  private static final String PARALLEL = "parallel_tool_calls";
  private static final Set<String> NAMES = names();

  private final ObjectValue options;

  ModelOptions(ObjectValue options) {
    this.options = options;
  }

  private static Set<String> names() {
    var names = new TreeSet<>(NUMBERS);
    names.addAll(INTEGERS);
    names.addAll(Set.of(STOP, EFFORT, PARALLEL));
    return Collections.unmodifiableSet(names);
  }

  /// The known options.
  public static Set<String> known() {
    return NAMES;
  }

  /// The error in the options, if there is one.
  public static Optional<String> problem(ObjectValue options) {
    for (var option : options.asMap().entrySet()) {
      var problem = problem(option.getKey(), option.getValue());
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> problem(String name, Value value) {
    if (!NAMES.contains(name)) {
      return Optional.of(
          "there is no option '%s'; there are %s".formatted(name, String.join(", ", NAMES)));
    }
    return fits(name, value)
        ? Optional.empty()
        : Optional.of("option '%s' cannot be %s".formatted(name, Json.write(value)));
  }

  private static boolean fits(String name, Value value) {
    return switch (value) {
      case Value.Int(long number) ->
          NUMBERS.contains(name)
              || (INTEGERS.contains(name) && Math.abs(number) <= Integer.MAX_VALUE);
      case Value.Real _ -> NUMBERS.contains(name);
      case Value.Bool _ -> name.equals(PARALLEL);
      case Value.Text _ -> name.equals(STOP) || name.equals(EFFORT);
      case ListValue list ->
          name.equals(STOP) && list.stream().allMatch(Value.Text.class::isInstance);
      case Value.Null _, ObjectValue _ -> false;
    };
  }

  /// Options of the configuration, whose values are texts.
  static void check(String property, Map<String, String> configured) {
    problem(read(configured))
        .ifPresent(it -> {
          throw new Setting(property).invalid("does not work: " + it);
        });
  }

  static ObjectValue read(Map<String, String> configured) {
    var options = ObjectValue.builder();
    configured.forEach((name, text) -> options.put(name.replace('-', '_'), scalar(text)));
    return options.build();
  }

  private static Value scalar(String text) {
    try {
      return Json.read(text);
    } catch (JsonException _) {
      return Value.of(text);
    }
  }

  /// @throws ModelException with `bad_model_options`
  void require() throws ModelException {
    var problem = problem(options);
    if (problem.isPresent()) {
      throw new ModelException(TaskError.permanent("bad_model_options", problem.get()));
    }
  }

  Optional<Value> find(String name) {
    return Optional.ofNullable(options.get(name));
  }

  Optional<ListValue> stop() {
    return find(STOP).map(it -> it instanceof ListValue list ? list : ListValue.of(it));
  }
}
