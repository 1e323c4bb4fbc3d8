package dev.superstep.definition;

/// What posting a definition led to.
///
/// @param version the new one, or the newest if that says the same
public record PostResult(GraphVersion version, Outcome outcome) {

  /// Whether there is a version more.
  public enum Outcome {
    CREATED,
    UNCHANGED
  }
}
