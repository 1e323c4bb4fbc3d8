package dev.superstep.node.spec;

/// The table SwitchCase of the language.
public interface SwitchCaseSpec {
  /// Targets if no case is true; the last case, and without 'when' and 'to'
  @Key(value = "else", form = Key.Form.ITEM)
  SwitchCaseSpec otherwise(String... items);

  /// Targets, all of them
  @Key(form = Key.Form.ITEM)
  SwitchCaseSpec to(String... items);

  /// CEL: the case is taken if it is the first that is true
  SwitchCaseSpec when(String value);
}
