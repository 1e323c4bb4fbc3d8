package dev.superstep.node.spec;

/// The table ContextTransformRule of the language.
public interface ContextTransformRuleSpec {
  /// Glob over whole keys
  ContextTransformRuleSpec sourcePattern(String value);

  /// The keys they get; * is what the source's * matched
  ContextTransformRuleSpec targetPattern(String value);

  /// Call of a transform, applied to the values
  ContextTransformRuleSpec transform(String value);
}
