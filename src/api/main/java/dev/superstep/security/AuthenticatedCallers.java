package dev.superstep.security;

import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/// Identifies the caller by the credential of the request, and knows what it may do.
@Component
public class AuthenticatedCallers implements Callers {
  private final InstantSource clock;

  /// @param clock the database's
  public AuthenticatedCallers(InstantSource clock) {
    this.clock = clock;
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
  public void requireAnswering() {
    require(Set.of(ApiScope.ANSWER));
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

  static ServiceException lacks(ApiScope scope) {
    return new ServiceException(
        ErrorCode.INSUFFICIENT_SCOPE,
        "this needs a key with the scope '%s'".formatted(scope.text()),
        List.of(),
        Map.of("scope", scope.text()));
  }
}
