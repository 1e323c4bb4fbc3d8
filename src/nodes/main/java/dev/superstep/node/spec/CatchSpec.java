package dev.superstep.node.spec;

/// The table CatchDefinition of the language.
public interface CatchSpec {
  /// true: taken for every failure; the last entry
  @Key("else")
  CatchSpec otherwise(boolean value);

  /// Taken for these codes only
  @Key(form = Key.Form.ITEM)
  CatchSpec errorCodes(String... items);

  /// Channel that takes the error
  CatchSpec errorTo(String value);

  /// Targets, all of them
  @Key(form = Key.Form.ITEM)
  CatchSpec to(String... items);

  /// CEL over error and state: taken only if it is true
  CatchSpec when(String value);
}
