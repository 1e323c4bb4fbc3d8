package dev.superstep.security;

import java.time.Instant;
import java.util.List;

/// The access token of a request, as its issuer has made it.
///
/// @param audience whom it is for
record SubjectToken(String value, String issuer, List<String> audience, Instant expiresAt) {
  SubjectToken {
    audience = List.copyOf(audience);
  }

  @Override
  public String toString() {
    return "a token of " + issuer;
  }
}
