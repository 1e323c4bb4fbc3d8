package dev.superstep.context;

import java.util.List;
import java.util.Optional;

/// The declared filter of what an edge passes on of its source's prompt context (P10, S4-8, S4-9).
/// It never decides whether the edge is taken.
public sealed interface EdgeContextFilter {
  List<String> TYPES = List.of("pass_all", "pass_none", "selective", "conditional", "transform");

  /// Everything.
  record PassAll() implements EdgeContextFilter {}

  /// The template only.
  record PassNone() implements EdgeContextFilter {}

  /// The union of the includes (everything, if there are none) without the excludes.
  record Selective(Patterns patterns) implements EdgeContextFilter {}

  /// Like [Selective] if the condition holds, else like [PassNone].
  record Conditional(ContextCondition condition, Patterns patterns) implements EdgeContextFilter {}

  /// Everything, with keys and values changed.
  record EdgeTransform(List<TransformRule> rules, TransformTarget target)
      implements EdgeContextFilter {
    public EdgeTransform {
      rules = List.copyOf(rules);
    }
  }

  /// @param target what the patterns are about; the rest passes whole
  record Patterns(List<Glob> includes, List<Glob> excludes, TransformTarget target) {
    public Patterns {
      includes = List.copyOf(includes);
      excludes = List.copyOf(excludes);
    }

    public static Patterns of(List<String> includes, List<String> excludes) {
      return new Patterns(
          includes.stream().map(Glob::of).toList(),
          excludes.stream().map(Glob::of).toList(),
          TransformTarget.KEYS);
    }
  }

  /// @param target the key that matching items get: its stars stand for what the source's matched
  /// @param call applied to the values behind the renaming
  record TransformRule(Glob source, String target, Optional<TransformCall> call) {}

  /// The default of edges without a filter (P10): error edges pass only what is about errors.
  ///
  /// @param edgeType `sequence`, `conditional`, `error`
  static EdgeContextFilter defaultFor(String edgeType) {
    return edgeType.equals("error")
        ? new Selective(
            Patterns.of(List.of("error.*", "exception.*"), List.of("success.*", "result.*")))
        : new PassAll();
  }
}
