package dev.superstep.security;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/// Who calls, and what it may do.
///
/// @param id stays the same for as long as the credential is valid; may be logged and stored
/// @param endsAt when the credential ends; empty: never
public record Caller(String id, Set<ApiScope> scopes, Optional<Instant> endsAt) {
  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /// One whose credential has no end.
  public Caller(String id, Set<ApiScope> scopes) {
    this(id, scopes, Optional.empty());
  }

  /// As the code behind the checks of a request sees it.
  public Authentication authentication() {
    var authentication =
        UsernamePasswordAuthenticationToken.authenticated(
            id,
            null,
            scopes.stream()
                .map(ApiScope::text)
                .map(SimpleGrantedAuthority::new)
                .collect(Collectors.toUnmodifiableSet()));
    authentication.setDetails(this);
    return authentication;
  }

  /// When the credential of an authenticated call ends.
  static Optional<Instant> endsAt(Authentication authentication) {
    return authentication.getDetails() instanceof Caller caller
        ? caller.endsAt()
        : Optional.empty();
  }

  static boolean has(Authentication caller, ApiScope scope) {
    return caller.getAuthorities().stream()
        .map(GrantedAuthority::getAuthority)
        .anyMatch(scope.text()::equals);
  }
}
