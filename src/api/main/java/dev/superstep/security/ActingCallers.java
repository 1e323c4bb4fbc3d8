package dev.superstep.security;

import dev.superstep.context.Glob;
import dev.superstep.database.TenantSettings;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/// Acts for callers while none of their requests is answered: for what they have set up to happen
/// later. A key that was revoked or has ended does nothing any more; a token is not needed again,
/// and who has shown one goes on with what it could reach then.
@Component
public class ActingCallers {
  private static final ScopedValue<Boolean> ACTING = ScopedValue.newInstance();
  private static final String NONE = "NONE";

  private final ApiKeys settingsKeys;
  private final StoredKeys storedKeys;
  private final TenantSettings tenants;

  ActingCallers(ApiKeys settingsKeys, StoredKeys storedKeys, TenantSettings tenants) {
    this.settingsKeys = settingsKeys;
    this.storedKeys = storedKeys;
    this.tenants = tenants;
  }

  /// A caller as a row keeps it.
  ///
  /// @param credential what it has shown
  /// @param reach what it could reach when it started runs; empty: all of its tenant
  public record LastingCaller(
      Tenant tenant, String id, String credential, Optional<LastingReach> reach) {}

  /// @param all graphs of which everything is within reach, by patterns of their names in rows
  /// @param own graphs of which the caller's own is
  public record LastingReach(List<String> all, List<String> own) {
    public LastingReach {
      all = List.copyOf(all);
      own = List.copyOf(own);
    }

    private Reach of(String caller) {
      return new Reach(
          caller, all.stream().map(Glob::of).toList(), own.stream().map(Glob::of).toList());
    }

    private static LastingReach of(Reach reach) {
      return new LastingReach(
          reach.all().stream().map(Glob::toString).toList(),
          reach.own().stream().map(Glob::toString).toList());
    }
  }

  /// Who makes the request that this thread answers, as one who starts runs.
  public LastingCaller current() {
    var caller = SecurityContextHolder.getContext().getAuthentication();
    var credential =
        caller != null && caller.getDetails() instanceof Caller it ? it.kind().name() : NONE;
    return new LastingCaller(
        Tenant.current(),
        credential.equals(NONE) || caller == null ? "" : caller.getName(),
        credential,
        AuthenticatedCallers.reach(ApiScope.RUN).map(LastingReach::of));
  }

  /// Whether this thread acts for a caller, outside of its requests.
  static boolean isActing() {
    return ACTING.isBound();
  }

  /// Does something as the caller would, who starts a run.
  ///
  /// @throws ServiceException `forbidden` if the caller's key is not taken any more, or may not
  ///   start runs
  public <T> T act(LastingCaller caller, Supplier<T> work) {
    var acting = find(caller);
    return ScopedValue.where(ACTING, true)
        .call(() -> within(caller.tenant(), () -> authenticated(acting, work)));
  }

  private <T> T within(Tenant tenant, Supplier<T> work) {
    return tenants.enabled() ? tenant.within(work::get) : work.get();
  }

  private static <T> T authenticated(Optional<Caller> caller, Supplier<T> work) {
    if (caller.isEmpty()) {
      return work.get();
    }
    var before = SecurityContextHolder.getContext();
    Authentication authentication = caller.get().authentication();
    var context = SecurityContextHolder.createEmptyContext();
    context.setAuthentication(authentication);
    SecurityContextHolder.setContext(context);
    try {
      var reach = AuthenticatedCallers.reach(ApiScope.RUN);
      return reach.isEmpty()
          ? work.get()
          : Reach.limited(() -> {
            Reach.take(reach);
            return work.get();
          });
    } finally {
      SecurityContextHolder.setContext(before);
    }
  }

  private Optional<Caller> find(LastingCaller caller) {
    if (caller.credential().equals(NONE)) {
      return Optional.empty();
    }
    var found =
        switch (Caller.Kind.valueOf(caller.credential())) {
          case SETTINGS_KEY ->
              Optional.of(caller.id()).filter(settingsKeys::hasBearer).map(Caller::operator);
          case STORED_KEY -> storedKeys.byId(caller.id());
          case TOKEN -> Optional.of(withoutToken(caller));
        };
    return Optional.of(
        found
            .filter(it -> it.scopes().contains(ApiScope.RUN))
            .orElseThrow(() ->
                new ServiceException(
                    ErrorCode.FORBIDDEN,
                    "the key '%s', for which runs start here, was revoked, has ended, or may start"
                            .formatted(caller.id())
                        + " no runs")));
  }

  private static Caller withoutToken(LastingCaller caller) {
    return new Caller(
        caller.tenant(),
        Caller.Kind.TOKEN,
        caller.id(),
        Set.of(ApiScope.READ, ApiScope.RUN),
        caller
            .reach()
            .<Map<ApiScope, Reach>>map(it -> Map.of(ApiScope.RUN, it.of(caller.id())))
            .orElse(Map.of()),
        Optional.empty(),
        Caller.Revocation.NEVER);
  }
}
