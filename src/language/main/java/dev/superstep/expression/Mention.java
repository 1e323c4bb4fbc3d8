package dev.superstep.expression;

/// A node that an expression names literally, so that it can be checked before anything runs.
///
/// @param line in the text of the expression, from 1
/// @param column in that line, from 1
public record Mention(MentionKind kind, String name, int line, int column) {

  /// The kind of name and the way it is used.
  public enum MentionKind {
    /// The node of a `dispatch` or `fan_out`, anywhere in the expression.
    DISPATCH,
    /// The node of a dispatch that the expression gives as its value, or in it.
    GIVEN_DISPATCH,
    /// A text that the expression gives as its value, or in a list: a node id, in a route.
    GIVEN_NODE;

    public boolean isGiven() {
      return this == GIVEN_DISPATCH || this == GIVEN_NODE;
    }
  }

  public Mention at(Position start) {
    var moved = new Position(line, column).after(start);
    return new Mention(kind, name, moved.line(), moved.column());
  }
}
