package dev.superstep.node.tool;

import dev.superstep.context.Glob;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// Decides which graphs may use which tools of the server.
public final class ToolPermits {
  /// The code of tools that a graph may not use.
  public static final String NOT_ALLOWED = "tool_not_allowed";

  private final ToolPolicies policies;

  ToolPermits(ToolPolicies policies) {
    this.policies = policies;
  }

  ToolPolicies policies() {
    return policies;
  }

  /// The operator's decision about a tool.
  ///
  /// @param graphs patterns of the graphs that may use it; empty: all
  /// @param approval whether a person has to approve each call, and who, as settings write it
  /// @param perRunMax calls of a run and of all runs that it has begun
  /// @param perMessageMax calls of one assistant message
  /// @param conditional whether a condition decides about the arguments
  public record Terms(
      List<String> graphs,
      String approval,
      OptionalInt perRunMax,
      OptionalInt perMessageMax,
      boolean conditional) {}

  /// All that concern a tool of the server; each of them applies.
  public List<Terms> terms(String tool) {
    return policies.of(tool).rules().stream().map(ToolPermits::terms).toList();
  }

  private static Terms terms(ToolPolicy.Rule rule) {
    return new Terms(
        rule.graphs().patterns().stream().map(Glob::toString).toList(),
        rule.approval().name().toLowerCase(Locale.ROOT),
        ToolPolicy.limit(rule.perRunMax()),
        ToolPolicy.limit(rule.perMessageMax()),
        rule.condition().isPresent());
  }

  /// Why a graph that runs may not use a tool; empty if it may.
  ///
  /// @param graph as rows have it
  public Optional<String> refusalOfCall(Tools tools, String name, String graph) {
    return tools.ofServer(name).isEmpty() || policies.of(name).permits(graph)
        ? Optional.empty()
        : Optional.of(notAllowed(name, Tenant.shown(graph)));
  }

  /// Why a graph of this name may not use a tool; empty if one may. Its own tools are its own
  /// affair.
  public Optional<String> refusal(Tools tools, String name, String graph) {
    return tools.ofServer(name).isEmpty() || policies.of(name).mayPermit(graph)
        ? Optional.empty()
        : Optional.of(notAllowed(name, graph));
  }

  private static String notAllowed(String tool, String graph) {
    return "graph '%s' may not use the tool '%s': the operator of this server allows it to others"
        .formatted(graph, tool);
  }
}
