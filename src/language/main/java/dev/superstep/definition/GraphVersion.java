package dev.superstep.definition;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One stored version of a graph. It never changes.
///
/// @param version from 1, counted per name, never reused
/// @param hash SHA-256 of the definition in RFC 8785 JSON, lower-case hex
/// @param createdBy the caller that posted it; empty where no key was needed
/// @param warnings as found when it was posted
/// @param definition in long form
public record GraphVersion(
    String name,
    int version,
    String hash,
    Instant createdAt,
    Optional<String> createdBy,
    List<Violation> warnings,
    ObjectValue definition) {
  public GraphVersion {
    warnings = List.copyOf(warnings);
  }
}
