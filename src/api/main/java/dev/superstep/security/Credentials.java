package dev.superstep.security;

import java.util.Optional;

/// Keys and tokens that are not in the settings.
interface Credentials {
  /// Whose key or token this is, unless it is unknown, revoked or expired.
  Optional<Caller> caller(String key);
}
