package dev.superstep.security;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A key in answers of the API.
@Schema(name = "Key", description = "An API key")
record KeyBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "No secret; its second part")
        String id,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "nightly-reports") String name,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "[\"read\", \"run\"]")
        List<String> scopes,
    @JsonProperty("created_at") @Schema(requiredMode = RequiredMode.REQUIRED) Instant createdAt,
    @JsonProperty("created_by")
        @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Id of the key that made it; empty on a server without keys")
        String createdBy,
    @JsonProperty("expires_at") @Schema(description = "Absent: never") @Nullable Instant expiresAt,
    @JsonProperty("last_used_at")
        @Schema(description = "To some minutes; absent: it was never used")
        @Nullable Instant lastUsedAt,
    @Schema(description = "What its bearer sends; shown this once") @Nullable String secret) {

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
