package dev.superstep.security;

import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.Optional;

/// A key as it is stored, without its secret.
///
/// @param tenant whose key it is
/// @param createdBy the id of the caller that made it
/// @param lastUsedAt to some minutes
/// @param rotatedBy the caller that gave it its secret last; empty: its maker
/// @param previousEndsAt until when the secret from before the last rotation is taken, too
record StoredKey(
    Tenant tenant,
    String id,
    String name,
    Grant grant,
    Instant createdAt,
    String createdBy,
    Optional<Instant> expiresAt,
    Optional<Instant> lastUsedAt,
    Optional<Instant> previousEndsAt,
    Optional<String> rotatedBy) {}
