package dev.superstep.model.identity;

import java.time.Instant;

/// A token that a cloud has given, for a while.
record AccessToken(String text, Instant expiresAt) implements CachedCredential.Expiring {
  @Override
  public String toString() {
    return "AccessToken until " + expiresAt;
  }
}
