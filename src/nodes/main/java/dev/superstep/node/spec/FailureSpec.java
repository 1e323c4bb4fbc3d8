package dev.superstep.node.spec;

/// The table FailureDefinition of the language.
public interface FailureSpec {
  /// Absent: all codes
  @Key(form = Key.Form.ITEM)
  FailureSpec errorCodes(String... items);

  /// Channel that takes the error
  FailureSpec errorTo(String value);

  /// Targets, all of them
  @Key(form = Key.Form.ITEM)
  FailureSpec to(String... items);
}
