package dev.superstep.secret;

import dev.superstep.context.Glob;
import dev.superstep.problem.Setting;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.function.Predicate;

/// Which graphs may use something of the operator.
///
/// @param patterns of names, those of other tenants than the default one with the tenant, as in
///   `acme/*`; empty: all graphs
public record AllowedGraphs(List<Glob> patterns) {
  public static final AllowedGraphs ALL = new AllowedGraphs(List.of());
  private static final int PATTERNS_MAX = 1_000;

  public AllowedGraphs {
    patterns = List.copyOf(patterns);
  }

  /// As settings write them.
  ///
  /// @throws dev.superstep.problem.InvalidSettingException if one is no pattern
  public static AllowedGraphs of(String property, List<String> patterns) {
    var setting = new Setting(property);
    setting.within(0, PATTERNS_MAX, patterns.size());
    patterns.forEach(it ->
        Glob.refusal(it)
            .ifPresent(why -> {
              throw setting.invalid("has '%s': %s".formatted(it, why));
            }));
    return new AllowedGraphs(patterns.stream().map(Glob::of).toList());
  }

  /// @param graph as rows have it
  public boolean permits(String graph) {
    var tenant = Tenant.of(graph);
    return matches(it -> Tenant.of(it.toString()).equals(tenant) && it.matches(graph));
  }

  /// Whether a graph of this name is permitted to some tenant: whose it is, is known when it runs.
  public boolean mayPermit(String name) {
    return matches(it -> Glob.of(Tenant.shown(it.toString())).matches(name));
  }

  private boolean matches(Predicate<Glob> matches) {
    return patterns.isEmpty() || patterns.stream().anyMatch(matches);
  }
}
