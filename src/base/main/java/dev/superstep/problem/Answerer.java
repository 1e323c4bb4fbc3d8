package dev.superstep.problem;

import dev.superstep.engine.run.Addressees;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Who answers questions of runs, as [Addressees] may name it.
///
/// @param id of the caller; empty: there are no keys, or it is known by its names only
/// @param names of the person, the one to show first
/// @param groups of its token
/// @param roles that it has where the question is
/// @param administers whether it may answer what others are asked
public record Answerer(
    String id, List<String> names, Set<String> groups, Set<String> roles, boolean administers) {
  /// The name of everybody where there are no keys.
  private static final String ANONYMOUS = "anonymous";

  public Answerer {
    names = names.stream().map(Addressees::normal).toList();
    groups = Set.copyOf(groups);
    roles = Set.copyOf(roles);
  }

  /// One of whom no more is known than the id of a caller.
  public static Answerer of(String caller) {
    return new Answerer(caller, List.of(), Set.of(), Set.of(), false);
  }

  /// Whether there is nobody to tell it apart from: there are no keys.
  public boolean isEverybody() {
    return id.isEmpty() && names.isEmpty();
  }

  /// As rows name who has answered; empty: there are no keys.
  public Optional<String> stored() {
    return isEverybody() ? Optional.empty() : Optional.of(id.isEmpty() ? names.getFirst() : id);
  }

  /// Under which it is assigned what it claims.
  public String name() {
    return isEverybody() ? ANONYMOUS : names.isEmpty() ? id : names.getFirst();
  }

  /// Whether it is the addressee, or one of those.
  public boolean is(String addressee) {
    return people().contains(Addressees.normal(addressee)) || groupsAndRoles().contains(addressee);
  }

  public boolean isAny(Collection<String> addressees) {
    return addressees.stream().anyMatch(this::is);
  }

  /// What it is called as a person.
  public List<String> people() {
    return isEverybody()
        ? List.of(ANONYMOUS)
        : Stream.concat(Stream.of(id).filter(it -> !it.isEmpty()), names.stream()).toList();
  }

  /// What it is called as one of several.
  public List<String> groupsAndRoles() {
    return Stream.concat(
            groups.stream().map(it -> Addressees.GROUP + it),
            roles.stream().map(it -> Addressees.ROLE + it))
        .toList();
  }
}
