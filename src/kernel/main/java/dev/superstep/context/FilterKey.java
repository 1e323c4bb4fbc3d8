package dev.superstep.context;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Encodes the effect of a filter as a value, for keys of the cache: filters with the same effect
/// are equal.
final class FilterKey {
  private FilterKey() {}

  static Value of(ContextFilter filter) {
    var rules = ListValue.builder().add(Value.of(filter.defaultBehavior().key()));
    for (var rule : filter.rules()) {
      rules.add(
          ListValue.texts(
              verb(rule),
              rule.pattern().toString(),
              rule.target().name(),
              rule instanceof FilterRule.Transform it ? it.call().source() : "",
              rule.condition().map(ContextCondition::source).orElse("")));
    }
    return rules.build();
  }

  private static String verb(FilterRule rule) {
    return switch (rule) {
      case FilterRule.Include _ -> "include";
      case FilterRule.Exclude _ -> "exclude";
      case FilterRule.Transform _ -> "transform";
    };
  }

  static Value of(EdgeContextFilter filter) {
    return switch (filter) {
      case EdgeContextFilter.PassAll _ -> ListValue.texts("pass_all");
      case EdgeContextFilter.PassNone _ -> ListValue.texts("pass_none");
      case EdgeContextFilter.Selective(var patterns) ->
          ListValue.texts("selective").plusAll(of(patterns));
      case EdgeContextFilter.Conditional(var condition, var patterns) ->
          ListValue.texts("conditional", condition.source()).plusAll(of(patterns));
      case EdgeContextFilter.EdgeTransform(var rules, var transformTarget) ->
          ListValue.texts("transform", transformTarget.name())
              .plus(ListValue.of(rules.stream().map(FilterKey::of).toList()));
    };
  }

  private static ListValue of(EdgeContextFilter.Patterns patterns) {
    return ListValue.of(globs(patterns.includes()), globs(patterns.excludes()))
        .plus(Value.of(patterns.target().name()));
  }

  private static ListValue globs(List<Glob> globs) {
    return ListValue.of(globs.stream().map(it -> Value.of(it.toString())).toList());
  }

  private static ListValue of(EdgeContextFilter.TransformRule rule) {
    return ListValue.texts(rule.source().toString(), rule.target(), source(rule.call()));
  }

  private static String source(Optional<TransformCall> call) {
    return call.map(TransformCall::source).orElse("");
  }
}
