package dev.superstep.definition;

/// The result of posting a definition.
///
/// @param version the new one, or the newest if that is identical
public record PostResult(GraphVersion version, PostOutcome outcome) {

  /// Whether a version was added.
  public enum PostOutcome {
    CREATED,
    UNCHANGED
  }
}
