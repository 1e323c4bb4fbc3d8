package dev.superstep.security;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A key in answers of the API.
record KeyBody(
    String id,
    String name,
    List<String> scopes,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("created_by") String createdBy,
    @JsonProperty("expires_at") @Nullable Instant expiresAt,
    @JsonProperty("last_used_at") @Nullable Instant lastUsedAt,
    @Nullable String secret) {

  static KeyBody of(StoredKey key) {
    return of(key, null);
  }

  static KeyBody of(MadeKey made) {
    return of(made.key(), made.secret());
  }

  private static KeyBody of(StoredKey key, @Nullable String secret) {
    return new KeyBody(
        key.id(),
        key.name(),
        key.scopes().stream().sorted().map(ApiScope::text).toList(),
        key.createdAt(),
        key.createdBy(),
        key.expiresAt().orElse(null),
        key.lastUsedAt().orElse(null),
        secret);
  }

  @Override
  public String toString() {
    return "KeyBody[" + id + "]";
  }
}
