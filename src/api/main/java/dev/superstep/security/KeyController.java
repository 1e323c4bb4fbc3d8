package dev.superstep.security;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.schedule.DatabaseClock;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Makes, lists and revokes API keys.
@Tag(name = "Keys", description = "Who may call, beside the keys in the settings")
@RestController
@RequestMapping("/v1/keys")
class KeyController {
  private final StoredKeys keys;
  private final AuthenticatedCallers callers;
  private final DatabaseClock clock;

  KeyController(StoredKeys keys, AuthenticatedCallers callers, DatabaseClock clock) {
    this.keys = keys;
    this.callers = callers;
    this.clock = clock;
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "createKey")
  @Fails({ErrorCode.KEY_EXISTS, ErrorCode.LIMIT_EXCEEDED})
  @PostMapping(
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<KeyBody> create(@RequestBody NewKeyBody body) {
    var wanted = body.checked(callers.current(), callers.endsAt(), clock.instant());
    callers.require(wanted.scopes());
    return ResponseEntity.status(HttpStatus.CREATED)
        .cacheControl(CacheControl.noStore())
        .body(KeyBody.of(keys.make(wanted)));
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "listKeys")
  @Paged
  @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  Listing<KeyBody> list(Query query) {
    return Listing.part(keys.all().stream().map(KeyBody::of).toList(), query);
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "revokeKey")
  @Fails(ErrorCode.KEY_NOT_FOUND)
  @DeleteMapping("/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void revoke(@PathVariable String id) {
    keys.revoke(id);
  }

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
}
