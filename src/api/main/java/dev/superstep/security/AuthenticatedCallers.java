package dev.superstep.security;

import dev.superstep.audit.AuditSettings;
import dev.superstep.database.TenantSettings;
import dev.superstep.problem.Answerer;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.AuditedCaller.Credential;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/// Identifies the caller by the credential of the request, and knows what it may do.
@Component
public class AuthenticatedCallers implements Callers {
  private final InstantSource clock;
  private final TenantSettings tenants;
  private final boolean records;
  private final Optional<HeldTokens> held;

  /// @param clock the database's
  /// @param held where tokens are kept
  @Autowired
  AuthenticatedCallers(
      InstantSource clock, TenantSettings tenants, AuditSettings audit, HeldTokens held) {
    this.clock = clock;
    this.held = Optional.of(held);
    this.tenants = tenants;
    this.records = audit.enabled();
  }

  /// Callers of whose calls nothing is recorded or kept.
  ///
  /// @param clock the database's
  public AuthenticatedCallers(InstantSource clock, TenantSettings tenants) {
    this.clock = clock;
    this.tenants = tenants;
    this.records = false;
    this.held = Optional.empty();
  }

  /// The id of a stored key, or a digest of one in the settings.
  @Override
  public String current() {
    var caller = SecurityContextHolder.getContext().getAuthentication();
    return caller == null || caller instanceof AnonymousAuthenticationToken
        ? EVERYBODY
        : caller.getName();
  }

  /// Makes sure that the caller has all of `scopes`, so that it cannot hand out more than it has.
  ///
  /// @throws ServiceException if it lacks one
  public void require(Collection<ApiScope> scopes) {
    for (var scope : scopes) {
      if (!may(scope)) {
        throw lacks(scope);
      }
      requireReach(scope);
    }
  }

  /// Makes sure that the caller reaches by this scope what it reaches in this request.
  private static void requireReach(ApiScope scope) {
    var reach = reach(scope);
    if (reach.isPresent() && !reach.equals(Reach.current())) {
      throw new ServiceException(
          ErrorCode.INSUFFICIENT_SCOPE,
          "your key or token has the scope '%s' within other limits than what this call needs besides"
              .formatted(scope.text()),
          List.of(),
          Map.of("scope", scope.text()));
    }
  }

  /// Makes sure that the caller's own key or token does not end before that, for who gets another's
  /// secret has it as long as it lasts.
  ///
  /// @param end empty: never
  void requireToLastUntil(Optional<Instant> end) {
    var mine = endsAt();
    if (mine.isPresent() && end.filter(it -> !it.isAfter(mine.get())).isEmpty()) {
      throw new ServiceException(
          ErrorCode.FORBIDDEN,
          "that key lasts longer than your own key or token, which ends at %s"
              .formatted(mine.get()));
    }
  }

  /// Makes sure that the caller may make keys of a tenant: its own, or any if it runs the server.
  ///
  /// @throws ServiceException `forbidden` if it may not
  void requireKeysOf(Tenant tenant) {
    if (!tenant.isDefault() && !tenants.enabled()) {
      throw ServiceException.at(
          "/tenant",
          ErrorCode.INVALID_VALUE,
          "this server has one tenant, 'default'; whoever runs it can have more"
              + " (superstep.tenants.enabled)");
    }
    if (!tenant.equals(Tenant.current()) && !runsTheServer()) {
      throw new ServiceException(
          ErrorCode.FORBIDDEN,
          "keys of another tenant are made with a key from the settings of the server only");
    }
  }

  /// Whether the caller may see, rotate and revoke a key: one of its tenant, or any if it runs the
  /// server.
  boolean mayKeep(StoredKey key) {
    return key.tenant().equals(Tenant.current()) || runsTheServer();
  }

  private static boolean runsTheServer() {
    return Caller.runsTheServer(SecurityContextHolder.getContext().getAuthentication());
  }

  /// When the caller's key or token ends, so that it cannot hand out what lasts longer; empty:
  /// never.
  public Optional<Instant> endsAt() {
    return Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
        .flatMap(Caller::endsAt);
  }

  @Override
  public BooleanSupplier ended() {
    var authentication = SecurityContextHolder.getContext().getAuthentication();
    return authentication != null && authentication.getDetails() instanceof Caller caller
        ? () -> caller.isOver(clock.instant())
        : () -> false;
  }

  @Override
  public Optional<AuditedCaller> audited() {
    if (records && ActingCallers.isActing()) {
      return Optional.of(
          new AuditedCaller(Tenant.current(), stored(), credential(), Optional.empty()));
    }
    return records
            && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes it
        ? Optional.of(audited(it.getRequest()))
        : Optional.empty();
  }

  /// Who makes a request, as the audit log has it. Behind a trusted proxy, the address is the one
  /// that the proxy has sent.
  AuditedCaller audited(HttpServletRequest request) {
    return new AuditedCaller(
        Caller.tenant(SecurityContextHolder.getContext().getAuthentication()),
        stored(),
        credential(),
        Optional.ofNullable(request.getRemoteAddr()));
  }

  private static Credential credential() {
    var authentication = SecurityContextHolder.getContext().getAuthentication();
    if (authentication == null || !(authentication.getDetails() instanceof Caller caller)) {
      return Credential.NONE;
    }
    return switch (caller.kind()) {
      case SETTINGS_KEY -> Credential.SETTINGS;
      case STORED_KEY -> Credential.KEY;
      case TOKEN -> Credential.TOKEN;
    };
  }

  @Override
  public boolean lend(String run, Supplier<String> starter) {
    var caller = SecurityContextHolder.getContext().getAuthentication();
    var token = Caller.token(caller);
    if (caller == null || token.isEmpty() || !starter.get().equals(caller.getName())) {
      return false;
    }
    held.ifPresent(it -> it.keep(run, caller.getName(), token.get()));
    return true;
  }

  @Override
  public void requireAnswering() {
    require(Set.of(ApiScope.ANSWER));
  }

  /// What a limited key or token may do elsewhere gives it no role here.
  @Override
  public Answerer answerer() {
    var authentication = SecurityContextHolder.getContext().getAuthentication();
    if (authentication == null || !(authentication.getDetails() instanceof Caller caller)) {
      return Answerer.of(current());
    }
    return new Answerer(
        caller.id(),
        caller.known().names(),
        caller.known().groups(),
        Stream.of(Role.values())
            .filter(it -> it.scopes().stream().allMatch(AuthenticatedCallers::mayHere))
            .map(Role::text)
            .collect(Collectors.toSet()),
        mayHere(ApiScope.ADMIN));
  }

  private static boolean mayHere(ApiScope scope) {
    var reach = reach(scope);
    return may(scope) && (reach.isEmpty() || reach.equals(Reach.current()));
  }

  /// What the caller may do.
  public Set<ApiScope> scopes() {
    return Stream.of(ApiScope.values())
        .filter(AuthenticatedCallers::may)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Whether the caller has this scope. Without keys there is one, on this machine, who has all.
  static boolean may(ApiScope scope) {
    var caller = SecurityContextHolder.getContext().getAuthentication();
    return caller == null
        || caller instanceof AnonymousAuthenticationToken
        || Caller.has(caller, scope);
  }

  /// What the caller may reach by a scope; empty: all of its tenant.
  static Optional<Reach> reach(ApiScope scope) {
    return Caller.reach(SecurityContextHolder.getContext().getAuthentication(), scope);
  }

  static ServiceException lacks(ApiScope scope) {
    return new ServiceException(
        ErrorCode.INSUFFICIENT_SCOPE,
        "this needs a key with the scope '%s'".formatted(scope.text()),
        List.of(),
        Map.of("scope", scope.text()));
  }
}
