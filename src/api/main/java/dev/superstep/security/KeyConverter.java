package dev.superstep.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.AuthenticationConverter;

/// Reads `Authorization: Bearer <key>` (RFC 6750), and for other faces of the API `x-api-key` if
/// there is none.
final class KeyConverter implements AuthenticationConverter {
  static final String HEADER = "x-api-key";
  private static final String SCHEME = "Bearer ";
  private final List<String> faces;

  /// @param faces paths of the other faces
  KeyConverter(List<String> faces) {
    this.faces = List.copyOf(faces);
  }

  @Override
  public @Nullable Authentication convert(HttpServletRequest request) {
    var key = key(request);
    return key == null
        ? null
        : UsernamePasswordAuthenticationToken.unauthenticated("bearer", key.strip());
  }

  private @Nullable String key(HttpServletRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return header.substring(SCHEME.length());
    }
    return faces.stream().anyMatch(it -> ApiFace.isBelow(it, request))
        ? request.getHeader(HEADER)
        : null;
  }
}
