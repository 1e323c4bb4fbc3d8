package dev.superstep.security;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What somebody was given: roles, and scopes of their own.
public record Grant(Set<Role> roles, Set<ApiScope> scopes) {
  public Grant {
    roles = Set.copyOf(roles);
    scopes = Set.copyOf(scopes);
  }

  /// By the names of roles and of scopes; what names nothing gives nothing.
  public static Grant of(Collection<String> roles, Collection<String> scopes) {
    return new Grant(
        roles.stream().flatMap(it -> Role.find(it).stream()).collect(Collectors.toSet()),
        scopes.stream().flatMap(ApiScope::granted).collect(Collectors.toSet()));
  }

  /// What the bearer may do.
  public Set<ApiScope> all() {
    return Stream.concat(scopes.stream(), roles.stream().flatMap(it -> it.scopes().stream()))
        .collect(Collectors.toUnmodifiableSet());
  }
}
