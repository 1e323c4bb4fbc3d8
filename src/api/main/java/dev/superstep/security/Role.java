package dev.superstep.security;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What people and programs are to a server. An operation that none of a caller's roles has the
/// scope for is refused.
public enum Role {
  /// Looks.
  VIEWER,
  /// Starts runs, and leaves their questions to others.
  RUNNER,
  /// Answers what runs ask.
  ANSWERER,
  /// Writes graphs.
  AUTHOR,
  /// Executes tasks of runs, and sees nothing else.
  WORKER,
  /// Keeps runs and their data in order.
  OPERATOR,
  /// May do everything.
  ADMIN;

  public Set<ApiScope> scopes() {
    return switch (this) {
      case VIEWER -> Set.of(ApiScope.READ);
      case RUNNER -> Set.of(ApiScope.READ, ApiScope.RUN);
      case ANSWERER -> Set.of(ApiScope.READ, ApiScope.ANSWER);
      case AUTHOR -> Set.of(ApiScope.READ, ApiScope.AUTHOR);
      case WORKER -> Set.of(ApiScope.WORK);
      case OPERATOR -> Set.of(ApiScope.READ, ApiScope.RUN, ApiScope.OPERATE);
      case ADMIN -> Set.of(ApiScope.values());
    };
  }

  /// As requests, tokens and settings write it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> find(String text) {
    return Stream.of(values()).filter(it -> it.text().equals(text)).findFirst();
  }
}
