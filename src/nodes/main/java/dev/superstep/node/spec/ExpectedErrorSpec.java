package dev.superstep.node.spec;

/// The table ExpectedError of the language.
public interface ExpectedErrorSpec {
  /// Of the run; * ends a prefix
  ExpectedErrorSpec code(String value);

  /// A part of its message
  ExpectedErrorSpec message(String value);
}
