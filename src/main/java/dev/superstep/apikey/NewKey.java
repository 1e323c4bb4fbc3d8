package dev.superstep.apikey;

import dev.superstep.security.ApiScope;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// What a key is to be.
public record NewKey(
    String name, Set<ApiScope> scopes, Optional<Instant> expiresAt, String createdBy) {
  public NewKey {
    scopes = Set.copyOf(scopes);
  }
}
