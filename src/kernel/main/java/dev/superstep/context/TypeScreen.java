package dev.superstep.context;

import dev.superstep.context.NodeContextType.Standard;
import dev.superstep.context.PartFilter.GlobRule;
import dev.superstep.context.Trace.Reason;
import dev.superstep.state.value.Value;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Filters a prompt context by a node's context type (the table of P8).
final class TypeScreen {
  private static final Map<Standard, TypeScreen> SCREENS =
      Stream.of(Standard.values()).collect(Collectors.toUnmodifiableMap(it -> it, TypeScreen::new));

  private final Standard type;
  private final List<Glob> variables;
  private final PartFilters keys;

  private TypeScreen(Standard type) {
    this.type = type;
    variables = globs(variables(type));
    var partFilters = new EnumMap<Part, PartFilter>(Part.class);
    partFilters.put(Part.VARIABLES, partFilter(variables, "variables"));
    partFilters.put(Part.METADATA, partFilter(globs(metadata(type)), "metadata"));
    keys = new PartFilters(partFilters);
  }

  static TypeScreen of(Standard type) {
    return Objects.requireNonNull(SCREENS.get(type));
  }

  List<Glob> variables() {
    return variables;
  }

  private static List<Glob> globs(List<String> patterns) {
    return patterns.stream().map(Glob::of).toList();
  }

  private static List<String> variables(Standard type) {
    return switch (type) {
      case PASS_THROUGH, FILTER_IN, FILTER_OUT, TRANSFORM, MERGE -> List.of("*");
      case ISOLATE -> List.of();
      case LLM_CONTEXT -> List.of("llm.*", "prompt.*", "model.*");
      case TOOL_CONTEXT -> List.of("tool.*", "function.*");
      case HUMAN_CONTEXT -> List.of("user.*", "human.*", "input.*");
      case SYSTEM_CONTEXT -> List.of("system.*", "config.*", "env.*");
    };
  }

  private static List<String> metadata(Standard type) {
    return switch (type) {
      case ISOLATE -> List.of();
      case SYSTEM_CONTEXT -> List.of("system.*", "config.*");
      case PASS_THROUGH,
          FILTER_IN,
          FILTER_OUT,
          TRANSFORM,
          MERGE,
          LLM_CONTEXT,
          TOOL_CONTEXT,
          HUMAN_CONTEXT ->
          List.of("*");
    };
  }

  private PartFilter partFilter(List<Glob> globs, String part) {
    var all = globs.stream().map(Glob::toString).collect(Collectors.joining(", "));
    var reason = reason("takes the %s %s".formatted(part, globs.isEmpty() ? "of nobody" : all));
    return new PartFilter(
        globs.stream().map(it -> new GlobRule(it, reason)).toList(),
        List.of(),
        all.equals("*") ? DefaultBehavior.PASS : DefaultBehavior.BLOCK,
        reason);
  }

  private Reason reason(String does) {
    return new Reason(type.key(), "%s %s".formatted(type.key(), does));
  }

  PromptContext apply(PromptContext context, Trace trace) {
    return switch (type) {
      case ISOLATE ->
          PartFilters.templateOnly(context, trace, reason("takes nothing but the template"));
      case PASS_THROUGH,
          FILTER_IN,
          FILTER_OUT,
          TRANSFORM,
          MERGE,
          LLM_CONTEXT,
          TOOL_CONTEXT,
          HUMAN_CONTEXT,
          SYSTEM_CONTEXT -> {
        var sifted = keys.apply(context, trace);
        var entries = new Entries(sifted.history(), sifted.times());
        explain(entries, trace);
        yield sifted.with(sifted.variables(), sifted.metadata(), history(entries));
      }
    };
  }

  private Entries history(Entries entries) {
    return switch (type) {
      case PASS_THROUGH, FILTER_IN, FILTER_OUT, TRANSFORM, MERGE, TOOL_CONTEXT -> entries;
      case LLM_CONTEXT, HUMAN_CONTEXT, ISOLATE, SYSTEM_CONTEXT -> entries.keep(this::keeps);
    };
  }

  private boolean keeps(Value entry) {
    return switch (type) {
      case PASS_THROUGH, FILTER_IN, FILTER_OUT, TRANSFORM, MERGE, TOOL_CONTEXT -> true;
      case LLM_CONTEXT -> !Entries.isMarked(entry, "tool_call");
      case HUMAN_CONTEXT -> Entries.isMarked(entry, "human_interaction");
      case ISOLATE, SYSTEM_CONTEXT -> false;
    };
  }

  private void explain(Entries entries, Trace trace) {
    if (!trace.isOn()) {
      return;
    }
    var reason =
        reason(
            switch (type) {
              case PASS_THROUGH, FILTER_IN, FILTER_OUT, TRANSFORM, MERGE, TOOL_CONTEXT ->
                  "takes the whole history";
              case LLM_CONTEXT -> "takes the entries without tool_call";
              case HUMAN_CONTEXT -> "takes the entries with human_interaction";
              case ISOLATE, SYSTEM_CONTEXT -> "takes no history";
            });
    for (var entry : entries.history()) {
      if (keeps(entry)) {
        trace.kept(Part.HISTORY, Entries.id(entry), reason);
      } else {
        trace.dropped(Part.HISTORY, Entries.id(entry), reason);
      }
    }
  }
}
