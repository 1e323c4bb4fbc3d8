package dev.superstep.expression;

/// A dispatch that an expression makes.
///
/// @param node that it is sent to
/// @param input what is known of its input; null where it has none
public record Send(String node, ValueType input) {}
