package dev.superstep.security;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What people and programs are to a server. An operation that none of a caller's roles has the
/// scope for is refused.
public enum Role {
  /// Looks.
  VIEWER(Set.of(ApiScope.READ)),
  /// Starts runs, and leaves their questions to others.
  RUNNER(Set.of(ApiScope.READ, ApiScope.RUN)),
  /// Answers what runs ask.
  ANSWERER(Set.of(ApiScope.READ, ApiScope.ANSWER)),
  /// Writes graphs.
  AUTHOR(Set.of(ApiScope.READ, ApiScope.AUTHOR)),
  /// Keeps runs and their data in order.
  OPERATOR(Set.of(ApiScope.READ, ApiScope.RUN, ApiScope.OPERATE)),
  /// May do everything.
  ADMIN(Set.of(ApiScope.values()));

  private final Set<ApiScope> scopes;

  Role(Set<ApiScope> scopes) {
    this.scopes = scopes;
  }

  public Set<ApiScope> scopes() {
    return scopes;
  }

  /// As requests, tokens and settings write it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> find(String text) {
    return Stream.of(values()).filter(it -> it.text().equals(text)).findFirst();
  }
}
