package dev.superstep.security;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.AuthenticationConverter;

/// Reads `Authorization: Bearer <key>` (RFC 6750).
final class BearerConverter implements AuthenticationConverter {

  private static final String SCHEME = "Bearer ";

  @Override
  public @Nullable Authentication convert(HttpServletRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    String key = header.substring(SCHEME.length()).strip();
    return UsernamePasswordAuthenticationToken.unauthenticated("bearer", key);
  }
}
