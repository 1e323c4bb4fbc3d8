package dev.superstep.security;

import java.time.Instant;
import java.util.Optional;

/// What a key is to be.
///
/// @param root to whom it and the keys that come from it are counted; empty: its maker has no bound
///   of its own, or is a stored key, which has a root
record NewKey(
    String name,
    Grant grant,
    Optional<Instant> expiresAt,
    String createdBy,
    Optional<String> root) {}
