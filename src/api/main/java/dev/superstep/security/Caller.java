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
/// @param revocation finds out whether the credential has been revoked since
public record Caller(
    String id, Set<ApiScope> scopes, Optional<Instant> endsAt, Revocation revocation) {
  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /// Whether a credential has been revoked.
  @FunctionalInterface
  public interface Revocation {
    Revocation NEVER = () -> false;

    boolean happened();
  }

  /// One whose credential is valid until its end.
  public Caller(String id, Set<ApiScope> scopes, Optional<Instant> endsAt) {
    this(id, scopes, endsAt, Revocation.NEVER);
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

  /// Whether the credential of this call is not valid any more.
  boolean isOver(Instant now) {
    return endsAt.filter(it -> !it.isAfter(now)).isPresent() || revocation.happened();
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
