package dev.superstep.context;

import dev.superstep.state.ListValue;
import dev.superstep.state.Value;
import java.util.List;
import java.util.Optional;

/// What a filter does, as a value: equal for filters that do the same, for keys of the cache.
final class Outline {
  private Outline() {}

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
      case EdgeContextFilter.Transform(var rules, var target) ->
          ListValue.texts("transform", target.name())
              .plus(ListValue.of(rules.stream().map(Outline::of).toList()));
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
