package dev.superstep.node.spec;

/// The table Position of the language.
public interface PositionSpec {
  /// To the right
  PositionSpec x(double value);

  /// Downwards
  PositionSpec y(double value);
}
