package dev.superstep.node.tool;

import dev.superstep.context.Glob;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Condition;
import dev.superstep.node.tool.ToolPolicy.Rule;
import dev.superstep.problem.Setting;
import dev.superstep.secret.AllowedGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The operator's policies of tools (`superstep.tools.policies`).
final class ToolPolicies {
  private final List<Rule> rules = new ArrayList<>();
  private final int callsMax;

  ToolPolicies(ToolSettings settings, Expressions expressions) {
    callsMax = settings.callsMax();
    for (int i = 0; i < settings.policies().size(); i++) {
      var property = "superstep.tools.policies[%d]".formatted(i);
      rules.add(rule(settings.policies().get(i), property, expressions));
    }
  }

  /// Calls of one assistant message that are carried out, whatever their tools.
  public int callsMax() {
    return callsMax;
  }

  /// @param tool name of a tool of the server
  public ToolPolicy of(String tool) {
    var found =
        rules.stream().filter(it -> it.tools().stream().anyMatch(glob -> glob.matches(tool)));
    var inForce = found.toList();
    return inForce.isEmpty() ? ToolPolicy.NONE : new ToolPolicy(inForce);
  }

  private static Rule rule(
      ToolSettings.PolicySettings policy, String property, Expressions expressions) {
    return new Rule(
        policy.tools().stream().map(Glob::of).toList(),
        AllowedGraphs.of(property + ".graphs", policy.graphs()),
        policy.approval(),
        Objects.requireNonNullElse(policy.callsPerRunMax(), ToolPolicy.UNLIMITED),
        Objects.requireNonNullElse(policy.callsPerMessageMax(), ToolPolicy.UNLIMITED),
        Optional.ofNullable(policy.condition())
            .map(it -> condition(it, property + ".condition", expressions)));
  }

  private static Condition condition(String source, String property, Expressions expressions) {
    try {
      return expressions.compileCondition(source);
    } catch (InvalidExpressionException e) {
      throw new Setting(property).invalid("is no condition: " + e.getMessage());
    }
  }
}
