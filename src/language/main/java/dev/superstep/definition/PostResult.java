package dev.superstep.definition;

/// The result of posting a definition.
///
/// @param version the new one, or the newest if that is identical
public record PostResult(GraphVersion version, Outcome outcome) {

  /// Whether a version was added.
  public enum Outcome {
    CREATED,
    UNCHANGED
  }
}
