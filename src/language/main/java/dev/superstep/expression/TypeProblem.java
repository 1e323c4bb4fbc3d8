package dev.superstep.expression;

import java.util.Set;

/// What is wrong with an expression, given the types of its variables.
public sealed interface TypeProblem {

  Position at();

  TypeProblem at(Position moved);

  /// This problem in a text where the expression begins at `start`.
  default TypeProblem after(Position start) {
    return at(at().after(start));
  }

  /// A field that an object does not have.
  ///
  /// @param owner the object, as written
  /// @param known the fields it has
  record UnknownField(String owner, String field, Set<String> known, Access access, Position at)
      implements TypeProblem {
    public UnknownField {
      known = Set.copyOf(known);
    }

    @Override
    public UnknownField at(Position moved) {
      return new UnknownField(owner, field, known, access, moved);
    }
  }

  /// A text that is compared with texts of which it is none.
  record UnknownText(String text, Set<String> allowed, Position at) implements TypeProblem {
    public UnknownText {
      allowed = Set.copyOf(allowed);
    }

    @Override
    public UnknownText at(Position moved) {
      return new UnknownText(text, allowed, moved);
    }
  }

  record WrongType(String message, Position at) implements TypeProblem {
    @Override
    public WrongType at(Position moved) {
      return new WrongType(message, moved);
    }
  }

  /// How an expression gets at a field.
  enum Access {
    /// Fails without the field.
    READ,
    /// `has(x.y)`, `x.?y`, `'y' in x`: asks whether there is one.
    ASKED
  }
}
