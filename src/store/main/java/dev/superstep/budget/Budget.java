package dev.superstep.budget;

import dev.superstep.context.Glob;
import dev.superstep.definition.GraphName;
import dev.superstep.tenant.Tenant;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Supplier;

/// What may be spent on models in a window of time.
///
/// @param unit of the calendar, in UTC
public record Budget(String name, Concerned concerned, Per per, Unit unit, Ceilings limits) {

  /// Whose calls it concerns: those that match all patterns. Names of graphs are without the
  /// tenant, and an inline graph has that of its definition.
  public record Concerned(Glob tenant, Glob caller, Glob graph) {
    private static final Glob ALL = Glob.of("*");

    boolean anyCaller() {
      return caller.equals(ALL);
    }
  }

  /// Who has an amount of its own.
  public enum Per {
    /// Each tenant.
    TENANT,
    /// Each key or subject of a tenant.
    CALLER,
    /// All that it concerns together.
    SERVER
  }

  /// The windows of time, named as PostgreSQL does.
  public enum Unit {
    DAY,
    MONTH
  }

  /// Empty ones limit nothing.
  public record Ceilings(
      Optional<Long> modelCalls, Optional<Long> tokens, Optional<BigDecimal> money) {}

  /// One amount of a budget: a row per window.
  ///
  /// @param tenant "" of an amount that tenants share
  /// @param caller "" of an amount that callers share
  public record Account(Budget budget, String tenant, String caller) {}

  /// The amount on which a run draws; empty: the budget does not concern it.
  ///
  /// @param graph as rows have it
  /// @param caller asked only if it matters
  Optional<Account> account(String graph, Supplier<String> caller) {
    var definition = GraphName.of(Tenant.shown(graph)).definition();
    return concerned.graph().matches(definition)
        ? account(Tenant.of(graph), caller)
        : Optional.empty();
  }

  /// The amount on which runs of some graphs of a tenant's caller draw; empty: it concerns none.
  ///
  /// @param caller asked only if it matters
  Optional<Account> account(Tenant of, Supplier<String> caller) {
    var tenant = of.name();
    if (!concerned.tenant().matches(tenant)
        || !(concerned.anyCaller() || concerned.caller().matches(caller.get()))) {
      return Optional.empty();
    }
    return Optional.of(
        switch (per) {
          case TENANT -> new Account(this, tenant, "");
          case CALLER -> new Account(this, tenant, caller.get());
          case SERVER -> new Account(this, "", "");
        });
  }
}
