package dev.superstep.node.spec;

/// The table ContextFilterRule of the language.
public interface ContextFilterRuleSpec {
  /// CEL: the rule applies when true
  ContextFilterRuleSpec condition(String value);

  /// Glob over whole keys; * is any run of characters, ? one
  ContextFilterRuleSpec pattern(String value);

  /// What it is about: variables, metadata, history, all
  ContextFilterRuleSpec target(String value);

  /// Call of a transform, such as truncate(200)
  ContextFilterRuleSpec transform(String value);

  /// What it does: include, exclude, transform
  ContextFilterRuleSpec type(String value);
}
