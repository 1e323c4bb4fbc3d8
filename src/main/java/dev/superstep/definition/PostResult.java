package dev.superstep.definition;

/// The result of posting a definition.
///
/// @param version the new one, or the newest if that is identical
public record PostResult(GraphVersion version, Outcome outcome) {

  /// Whether there is a version more.
  public enum Outcome {
    CREATED,
    UNCHANGED
  }
}
