package dev.superstep.model.identity;

import java.time.Instant;

/// What AWS lends to a process that has taken a role.
record AwsCredential(String accessKey, String secretKey, String sessionToken, Instant expiresAt)
    implements CachedCredential.Expiring {
  @Override
  public String toString() {
    return "AwsCredential until " + expiresAt;
  }
}
