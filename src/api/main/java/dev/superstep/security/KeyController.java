package dev.superstep.security;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.DurationText;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
  private static final Logger LOG = LoggerFactory.getLogger(KeyController.class);

  private final StoredKeys keys;
  private final AuthenticatedCallers callers;
  private final DatabaseClock clock;
  private final AuditLog audit;

  KeyController(
      StoredKeys keys, AuthenticatedCallers callers, DatabaseClock clock, AuditLog audit) {
    this.audit = audit;
    this.keys = keys;
    this.callers = callers;
    this.clock = clock;
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "createKey")
  @Fails({ErrorCode.KEY_EXISTS, ErrorCode.LIMIT_EXCEEDED})
  @PostMapping(
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<KeyBody> create(@RequestBody NewKeyBody body) {
    var wanted =
        body.checked(Tenant.current(), callers.current(), callers.endsAt(), clock.instant());
    callers.require(wanted.grant().all());
    callers.requireKeysOf(wanted.tenant());
    return ResponseEntity.status(HttpStatus.CREATED)
        .cacheControl(CacheControl.noStore())
        .body(
            KeyBody.of(logged("made", recorded(AuditAction.KEY_CREATE, () -> keys.make(wanted)))));
  }

  /// For the key may be of another tenant. What was remembered of keys while the change was not
  /// committed is forgotten.
  private MadeKey recorded(AuditAction action, Supplier<MadeKey> change) {
    try {
      return Tenant.outside(() -> audit.recorded(action, change, it -> it.key().id()));
    } finally {
      keys.forget();
    }
  }

  private MadeKey logged(String what, MadeKey key) {
    LOG.info("key {} was {} by {}", key.key().id(), what, callers.current());
    return key;
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "rotateKey")
  @Fails({ErrorCode.KEY_NOT_FOUND, ErrorCode.CONFLICT})
  @PostMapping(
      path = "/{id}/rotate",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<KeyBody> rotate(@PathVariable String id, @RequestBody RotationBody body) {
    var overlap = body.checkedOverlap();
    var key = keys.get(id, callers::mayKeep);
    callers.require(key.grant().all());
    callers.requireToLastUntil(key.expiresAt());
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(
            KeyBody.of(
                logged(
                    "rotated",
                    recorded(
                        AuditAction.KEY_ROTATE,
                        () -> keys.rotate(key, overlap, callers.current())))));
  }

  /// A request to give a key another secret.
  @Schema(name = "KeyRotation")
  record RotationBody(@Nullable String overlap) {
    private static final Duration MAX = Duration.ofDays(30);
    private static final Duration DEFAULT = Duration.ofHours(1);

    Duration checkedOverlap() {
      return overlap == null
          ? DEFAULT
          : DurationText.parse(overlap)
              .filter(it -> it.compareTo(MAX) <= 0)
              .orElseThrow(() ->
                  ServiceException.at(
                      "/overlap",
                      ErrorCode.INVALID_VALUE,
                      "must be a duration of at most 30 days, such as 90s, 5m or PT5M"));
    }
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "listKeys")
  @Paged
  @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  Listing<KeyBody> list(Query query) {
    return Listing.part(keys.all(callers::mayKeep).stream().map(KeyBody::of).toList(), query);
  }

  @Requires(ApiScope.ADMIN)
  @Operation(operationId = "revokeKey")
  @Fails(ErrorCode.KEY_NOT_FOUND)
  @DeleteMapping("/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void revoke(@PathVariable String id) {
    var key = keys.get(id, callers::mayKeep);
    Tenant.outside(() -> {
      audit.recorded(AuditAction.KEY_REVOKE, id, () -> keys.revoke(key));
      return id;
    });
    keys.forget();
    LOG.info("key {} was revoked by {}", id, callers.current());
  }

  /// A key in answers of the API. A class and not a record, which could not have so many
  /// components.
  @JsonAutoDetect(fieldVisibility = Visibility.ANY)
  static final class KeyBody {
    final String id;
    final String name;
    final String tenant;
    final List<String> roles;
    final List<String> scopes;

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    final List<String> graphs;

    @JsonProperty("own_only")
    final boolean ownOnly;

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonProperty("task_types")
    final List<String> taskTypes;

    @JsonProperty("created_at")
    final Instant createdAt;

    @JsonProperty("created_by")
    final String createdBy;

    @JsonProperty("expires_at")
    final @Nullable Instant expiresAt;

    @JsonProperty("last_used_at")
    final @Nullable Instant lastUsedAt;

    final @Nullable LastRotation rotation;
    final @Nullable String secret;

    private KeyBody(StoredKey key, @Nullable String secret) {
      id = key.id();
      name = key.name();
      tenant = key.tenant().name();
      roles = key.grant().roles().stream().sorted().map(Role::text).toList();
      scopes = key.grant().all().stream().sorted().map(ApiScope::text).toList();
      graphs = key.grant().limit().graphs();
      ownOnly = key.grant().limit().ownOnly();
      taskTypes = key.grant().limit().taskTypes();
      createdAt = key.createdAt();
      createdBy = key.createdBy();
      expiresAt = key.expiresAt().orElse(null);
      lastUsedAt = key.lastUsedAt().orElse(null);
      rotation =
          key.previousEndsAt()
              .map(it -> new LastRotation(key.rotatedBy().orElse(""), it))
              .orElse(null);
      this.secret = secret;
    }

    static KeyBody of(StoredKey key) {
      return new KeyBody(key, null);
    }

    static KeyBody of(MadeKey made) {
      return new KeyBody(made.key(), made.secret());
    }

    /// @param by the id of the caller
    /// @param previousEndsAt until when the secret from before is taken
    record LastRotation(String by, @JsonProperty("previous_ends_at") Instant previousEndsAt) {}

    @Override
    public String toString() {
      return "KeyBody[" + id + "]";
    }
  }
}
