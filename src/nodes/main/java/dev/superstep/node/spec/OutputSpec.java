package dev.superstep.node.spec;

/// The table OutputDefinition of the language.
public interface OutputSpec {
  /// What the result is made of; absent: the state
  @Key(form = Key.Form.ITEM)
  OutputSpec channels(String... items);
}
