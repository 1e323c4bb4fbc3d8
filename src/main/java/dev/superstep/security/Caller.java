package dev.superstep.security;

import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/// Who calls, and what it may do.
///
/// @param id stays the same for as long as the credential is valid; may be logged and stored
public record Caller(String id, Set<ApiScope> scopes) {
  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /// As the code behind the checks of a request sees it.
  public Authentication authentication() {
    return UsernamePasswordAuthenticationToken.authenticated(
        id,
        null,
        scopes.stream()
            .map(ApiScope::text)
            .map(SimpleGrantedAuthority::new)
            .collect(Collectors.toUnmodifiableSet()));
  }

  static boolean has(Authentication caller, ApiScope scope) {
    return caller.getAuthorities().stream()
        .map(GrantedAuthority::getAuthority)
        .anyMatch(scope.text()::equals);
  }
}
