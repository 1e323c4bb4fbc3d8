package dev.superstep.context;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// How a node takes the prompt context that arrives (P8, S4-5, S4-6). Its own filter narrows what
/// the type lets through.
public sealed interface NodeContextType {
  String CUSTOM = "custom:";

  /// As definitions write it.
  String key();

  /// The view that a registered [ContextProcessor] returns (P14).
  record Custom(String name) implements NodeContextType {
    @Override
    public String key() {
      return CUSTOM + name;
    }
  }

  /// The type of nodes that declare none (P9).
  static Standard defaultFor(String nodeType) {
    return switch (nodeType) {
      case "llm" -> Standard.LLM_CONTEXT;
      case "tool" -> Standard.TOOL_CONTEXT;
      case "human" -> Standard.HUMAN_CONTEXT;
      case "subgraph" -> Standard.ISOLATE;
      default -> Standard.PASS_THROUGH;
    };
  }

  /// @return empty if there is no such type; that a custom one is registered is not checked
  static Optional<NodeContextType> find(String key) {
    if (key.startsWith(CUSTOM)) {
      return Optional.of(new Custom(key.substring(CUSTOM.length())));
    }
    return Standard.find(key).map(NodeContextType.class::cast);
  }

  /// The variables that a type lets through; empty if it takes none, or if only its processor
  /// knows.
  static List<Glob> variables(NodeContextType type) {
    return type instanceof Standard standard ? standard.variables() : List.of();
  }

  /// Whether variables of this type match one of `includes`: false only if certainly none does, and
  /// never for a type that takes no variables.
  static boolean mayTake(NodeContextType type, List<Glob> includes) {
    var taken = variables(type);
    return taken.isEmpty()
        || includes.isEmpty()
        || includes.stream().anyMatch(include -> taken.stream().anyMatch(include::mayMeet));
  }

  /// The ten types of the seed.
  enum Standard implements NodeContextType {
    PASS_THROUGH,
    FILTER_IN,
    FILTER_OUT,
    TRANSFORM,
    ISOLATE,
    MERGE,
    LLM_CONTEXT,
    TOOL_CONTEXT,
    HUMAN_CONTEXT,
    SYSTEM_CONTEXT;

    static Optional<Standard> find(String key) {
      return Stream.of(values()).filter(it -> it.key().equals(key)).findFirst();
    }

    @Override
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// The variables that it lets through (S4-6 `getSupportedContextTypes`).
    public List<Glob> variables() {
      return TypeScreen.of(this).variables();
    }

    /// The view of a node of this type before its own filter (S4-6 `applyContextFilter`).
    public PromptContext apply(PromptContext context) {
      return apply(context, Trace.OFF);
    }

    PromptContext apply(PromptContext context, Trace trace) {
      return TypeScreen.of(this).apply(context, trace);
    }
  }
}
