package dev.superstep.security;

import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.Optional;

/// What a key is to be.
///
/// @param tenant whose key it is
/// @param root to whom it and the keys that come from it are counted; empty: its maker has no bound
///   of its own, or is a stored key, which has a root
record NewKey(
    Tenant tenant,
    String name,
    Grant grant,
    Optional<Instant> expiresAt,
    String createdBy,
    Optional<String> root) {}
