package dev.superstep.security;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// A key as it is stored, without its secret.
///
/// @param createdBy the id of the caller that made it
/// @param lastUsedAt to some minutes
record StoredKey(
    String id,
    String name,
    Set<ApiScope> scopes,
    Instant createdAt,
    String createdBy,
    Optional<Instant> expiresAt,
    Optional<Instant> lastUsedAt) {
  public StoredKey {
    scopes = Set.copyOf(scopes);
  }

  boolean isExpired(Instant now) {
    return expiresAt.filter(it -> !it.isAfter(now)).isPresent();
  }
}
