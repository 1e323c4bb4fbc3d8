package dev.superstep.context;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Prompt contexts to filter.
public final class Contexts {
  /// Conditions `true`, `false`, `fails`, and `has(<variable>)`.
  public static final ContextCondition.Compiler CONDITIONS = Contexts::compile;

  public static final ContextLibrary LIBRARY = library(Transforms.BUILT_IN, Processors.NONE);

  private Contexts() {}

  public static ContextLibrary library(Transforms transforms, Processors processors) {
    return new ContextLibrary(CONDITIONS, transforms, processors, Map.of(), ContextCache.NONE);
  }

  private static ContextCondition compile(String source) throws ContextCondition.Invalid {
    if (source.startsWith("has(")) {
      var key = source.substring(4, source.length() - 1);
      return new ContextCondition(source, (context, _) -> context.variables().has(key));
    }
    return switch (source) {
      case "true", "false" -> new ContextCondition(source, (_, _) -> source.equals("true"));
      case "asks" ->
          new ContextCondition(source, (_, around) -> around.get("ok").equals(Value.TRUE));
      case "fails" ->
          new ContextCondition(
              source,
              (_, _) -> {
                throw new IllegalStateException("no such key: x");
              });
      default -> throw new ContextCondition.Invalid("what is " + source, 1, 3);
    };
  }

  /// A context whose variables have their keys as values.
  public static PromptContext of(String... keys) {
    return context(keys(keys), ListValue.empty(), ObjectValue.empty());
  }

  public static ObjectValue keys(String... keys) {
    var members = ObjectValue.builder();
    for (var key : keys) {
      members.put(key, Value.of(key));
    }
    return members.build();
  }

  public static PromptContext context(
      ObjectValue variables, ListValue history, ObjectValue metadata) {
    var times = ListValue.builder();
    for (int i = 0; i < history.size(); i++) {
      times.add(Value.of("2026-01-01T00:00:%02dZ".formatted(i % 60)));
    }
    return new PromptContext("You are.", variables, history, times.build(), metadata);
  }

  /// An entry of `node`, whose id is made of node and superstep.
  public static ObjectValue entry(String node, int superstep, String... marks) {
    var metadata = ObjectValue.of("node_type", Value.of("llm"));
    for (var mark : marks) {
      metadata = metadata.plus(mark, Value.TRUE);
    }
    return ObjectValue.of("id", Value.of(node + superstep))
        .plus("node_id", Value.of(node))
        .plus("prompt", Value.of("asks " + node))
        .plus("response", Value.of("answers " + node))
        .plus("superstep", Value.of(superstep))
        .plus("metadata", metadata);
  }

  public static List<String> ids(PromptContext context) {
    return context.history().stream().map(Entries::id).toList();
  }

  public static Set<String> variables(PromptContext context) {
    return context.variables().asMap().keySet();
  }

  public static ObjectValue object(String... keysAndTexts) {
    var members = ObjectValue.builder();
    for (int i = 0; i < keysAndTexts.length; i += 2) {
      members.put(keysAndTexts[i], Value.of(keysAndTexts[i + 1]));
    }
    return members.build();
  }

  public static ObjectValue rule(String type, String pattern, String... more) {
    return object("type", type, "pattern", pattern).plusAll(object(more));
  }

  public static ObjectValue filter(ObjectValue... rules) {
    return ObjectValue.of(Map.of("rules", ListValue.of(rules)));
  }
}
