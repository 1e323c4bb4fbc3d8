package dev.superstep.security;

import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/// Who calls, and what it may do.
///
/// @param tenant whose things it may see and change
/// @param kind of what it sends to say who it is
/// @param id stays the same for as long as the credential is valid; may be logged and stored
/// @param endsAt when the credential ends; empty: never
/// @param reaches what it may reach by those of its scopes that are limited
/// @param revocation finds out whether the credential has been revoked since
/// @param token that the request carries; empty: it has a key, or a session
/// @param known what questions may call it besides the id
public record Caller(
    Tenant tenant,
    Kind kind,
    String id,
    Set<ApiScope> scopes,
    Map<ApiScope, Reach> reaches,
    Optional<Instant> endsAt,
    Revocation revocation,
    Optional<SubjectToken> token,
    KnownNames known) {
  public Caller {
    scopes = Set.copyOf(scopes);
    reaches = Map.copyOf(reaches);
  }

  /// What else a caller is called.
  ///
  /// @param names of the person, the one to show first
  /// @param groups that its token names
  public record KnownNames(List<String> names, Set<String> groups) {
    static final KnownNames NONE = new KnownNames(List.of(), Set.of());

    public KnownNames {
      names = List.copyOf(names);
      groups = Set.copyOf(groups);
    }
  }

  /// What callers send to say who they are.
  public enum Kind {
    /// A key of the settings: whoever has it runs the server.
    SETTINGS_KEY,
    STORED_KEY,
    TOKEN
  }

  /// Whether a credential has been revoked.
  @FunctionalInterface
  public interface Revocation {
    Revocation NEVER = () -> false;

    boolean happened();
  }

  /// One whose token, if it is one, is for nobody else.
  Caller(
      Tenant tenant,
      Kind kind,
      String id,
      Set<ApiScope> scopes,
      Map<ApiScope, Reach> reaches,
      Optional<Instant> endsAt,
      Revocation revocation) {
    this(tenant, kind, id, scopes, reaches, endsAt, revocation, Optional.empty(), KnownNames.NONE);
  }

  /// One of the default tenant, whose token is valid until its end.
  public Caller(String id, Set<ApiScope> scopes, Optional<Instant> endsAt) {
    this(Tenant.DEFAULT, Kind.TOKEN, id, scopes, Map.of(), endsAt, Revocation.NEVER);
  }

  /// Whoever runs the server.
  static Caller operator(String id) {
    return new Caller(
        Tenant.DEFAULT,
        Kind.SETTINGS_KEY,
        id,
        EnumSet.allOf(ApiScope.class),
        Map.of(),
        Optional.empty(),
        Revocation.NEVER);
  }

  /// The same one by a credential that can be revoked.
  Caller revocable(Revocation byWhat) {
    return new Caller(tenant, kind, id, scopes, reaches, endsAt, byWhat, token, known);
  }

  /// The same one, who sends this token.
  Caller with(SubjectToken sent) {
    return new Caller(
        tenant, kind, id, scopes, reaches, endsAt, revocation, Optional.of(sent), known);
  }

  /// The same one, who is also called so.
  Caller called(KnownNames names) {
    return new Caller(tenant, kind, id, scopes, reaches, endsAt, revocation, token, names);
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

  /// Whose things an authenticated call may see and change.
  static Tenant tenant(@Nullable Authentication authentication) {
    return authentication != null && authentication.getDetails() instanceof Caller caller
        ? caller.tenant()
        : Tenant.DEFAULT;
  }

  /// The token that an authenticated call carries.
  static Optional<SubjectToken> token(@Nullable Authentication authentication) {
    return authentication != null && authentication.getDetails() instanceof Caller caller
        ? caller.token()
        : Optional.empty();
  }

  /// Whether an authenticated call may do some things to a part of its tenant only.
  static boolean isLimited(@Nullable Authentication authentication) {
    return authentication != null
        && authentication.getDetails() instanceof Caller caller
        && !caller.reaches().isEmpty();
  }

  /// What an authenticated call may reach by a scope; empty: all of its tenant.
  static Optional<Reach> reach(@Nullable Authentication authentication, ApiScope scope) {
    return authentication != null && authentication.getDetails() instanceof Caller caller
        ? Optional.ofNullable(caller.reaches().get(scope))
        : Optional.empty();
  }

  /// Whether an authenticated call comes from whoever runs the server.
  static boolean runsTheServer(@Nullable Authentication authentication) {
    return authentication != null
        && authentication.getDetails() instanceof Caller caller
        && caller.kind() == Kind.SETTINGS_KEY;
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
