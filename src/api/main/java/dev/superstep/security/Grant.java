package dev.superstep.security;

import dev.superstep.context.Glob;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Reach.TaskReach;
import dev.superstep.tenant.Tenant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What somebody was given: roles, and scopes of their own.
///
/// @param limit to what of the tenant
public record Grant(Set<Role> roles, Set<ApiScope> scopes, Limit limit) {
  public Grant {
    roles = Set.copyOf(roles);
    scopes = Set.copyOf(scopes);
  }

  /// A limit of a grant.
  ///
  /// @param graphs patterns of their names; empty: all of the tenant
  /// @param ownOnly whether of their runs and threads it is for those of the bearer only
  /// @param taskTypes patterns of the types of tasks that the bearer may execute; empty: all
  public record Limit(List<String> graphs, boolean ownOnly, List<String> taskTypes) {
    public static final Limit NONE = new Limit(List.of(), false, List.of());
    static final int PATTERNS_MAX = 20;
    private static final Set<ApiScope> OF_OWN =
        Set.of(ApiScope.READ, ApiScope.RUN, ApiScope.ANSWER);
    private static final Pattern TASK_TYPES = Pattern.compile("[A-Za-z0-9._*?-]{1,128}");

    public Limit {
      graphs = List.copyOf(graphs);
      taskTypes = List.copyOf(taskTypes);
    }

    boolean isNone() {
      return equals(NONE);
    }

    private boolean isNone(ApiScope scope) {
      return graphs.isEmpty() && !ownOnly && (taskTypes.isEmpty() || scope != ApiScope.WORK);
    }

    /// Why this is no pattern of types of tasks; empty: it is one.
    static Optional<String> refusalOfTypes(String pattern) {
      return TASK_TYPES.matcher(pattern).matches()
          ? Optional.empty()
          : Optional.of("must be a type of tasks or a pattern such as 'billing.*'");
    }

    /// Why this is no pattern of names of graphs; empty: it is one.
    static Optional<String> refusal(String pattern) {
      return pattern.indexOf('/') >= 0
          ? Optional.of("must be a name of graphs or a pattern such as 'team-*'")
          : Glob.refusal(pattern);
    }

    /// What of these cannot be limited so: who keeps keys or reads the audit log does it for the
    /// whole tenant, and graphs and what erases them are nobody's own.
    Set<ApiScope> refused(Set<ApiScope> scopes) {
      var refused = new HashSet<ApiScope>();
      for (var scope : scopes) {
        if ((ownOnly && !OF_OWN.contains(scope)) || (!isNone() && scope == ApiScope.ADMIN)) {
          refused.add(scope);
        }
      }
      return refused;
    }

    private Reach reach(ApiScope scope, Tenant tenant, String caller) {
      var names =
          (graphs.isEmpty() ? List.of("*") : graphs)
              .stream()
                  .map(it -> Glob.of(tenant.isDefault() ? it : tenant.name() + "/" + it))
                  .toList();
      return new Reach(
          caller,
          ownOnly ? List.of() : names,
          ownOnly ? names : List.of(),
          scope == ApiScope.WORK ? tasks(names) : List.of());
    }

    private List<TaskReach> tasks(List<Glob> names) {
      var types = taskTypes.isEmpty() ? List.of("*") : taskTypes;
      return List.of(new TaskReach(types.stream().map(Glob::of).toList(), names));
    }
  }

  /// One without a limit.
  public Grant(Set<Role> roles, Set<ApiScope> scopes) {
    this(roles, scopes, Limit.NONE);
  }

  /// By the names of roles and of scopes; what names nothing gives nothing.
  public static Grant of(Collection<String> roles, Collection<String> scopes) {
    return new Grant(
        roles.stream().flatMap(it -> Role.find(it).stream()).collect(Collectors.toSet()),
        scopes.stream().flatMap(ApiScope::granted).collect(Collectors.toSet()));
  }

  public Grant limited(Limit other) {
    return new Grant(roles, scopes, other);
  }

  /// What the bearer may do.
  public Set<ApiScope> all() {
    return Stream.concat(scopes.stream(), roles.stream().flatMap(it -> it.scopes().stream()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /// What may be done by all of these grants within their limits.
  static Set<ApiScope> all(List<Grant> grants) {
    return grants.stream().flatMap(it -> it.allowed().stream()).collect(Collectors.toSet());
  }

  private Set<ApiScope> allowed() {
    var allowed = new HashSet<>(all());
    allowed.removeAll(limit.refused(allowed));
    return allowed;
  }

  /// What a caller with these grants may reach by a scope; none for scopes without a limit.
  static Map<ApiScope, Reach> reaches(List<Grant> grants, Tenant tenant, String caller) {
    var reaches = new EnumMap<ApiScope, Reach>(ApiScope.class);
    for (var grant : grants) {
      for (var scope : grant.allowed()) {
        reaches.merge(scope, grant.limit.reach(scope, tenant, caller), Reach::plus);
      }
    }
    for (var grant : grants) {
      grant.all().stream().filter(grant.limit::isNone).forEach(reaches::remove);
    }
    return reaches;
  }
}
