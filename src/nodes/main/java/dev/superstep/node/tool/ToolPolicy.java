package dev.superstep.node.tool;

import dev.superstep.context.Glob;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.graph.Condition;
import dev.superstep.graph.ExpressionException;
import dev.superstep.secret.AllowedGraphs;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/// The operator's rules for a tool of the server. No definition weakens them, and they apply to
/// every call: of a model, or of a node that wrote it into the messages.
///
/// @param rules all of them apply: the strictest decides
record ToolPolicy(List<Rule> rules) {
  public static final ToolPolicy NONE = new ToolPolicy(List.of());

  /// The calls that a policy does not limit.
  static final int UNLIMITED = Integer.MAX_VALUE;

  /// @param tools patterns of names
  /// @param graphs that may use them
  /// @param approval whether a person has to approve each call, and who
  /// @param perRunMax calls of a run and of all runs that it has begun
  /// @param perMessageMax calls of one assistant message
  /// @param condition over the call as `input` `{id, name, arguments}`
  record Rule(
      List<Glob> tools,
      AllowedGraphs graphs,
      ToolSettings.Asking approval,
      int perRunMax,
      int perMessageMax,
      Optional<Condition> condition) {
    Rule {
      tools = List.copyOf(tools);
    }
  }

  public ToolPolicy {
    rules = List.copyOf(rules);
  }

  /// @param graph as rows have it
  public boolean permits(String graph) {
    return permitted(it -> it.permits(graph));
  }

  /// Whether it permits a graph of this name to some tenant: whose it is, is known when it runs.
  public boolean mayPermit(String name) {
    return permitted(it -> it.mayPermit(name));
  }

  private boolean permitted(Predicate<AllowedGraphs> permits) {
    return rules.stream().map(Rule::graphs).allMatch(permits);
  }

  public boolean requiresApproval() {
    return rules.stream().anyMatch(it -> it.approval() != ToolSettings.Asking.DEFINED);
  }

  /// Who may approve.
  public MayAnswer mayAnswer() {
    return rules.stream().anyMatch(it -> it.approval() == ToolSettings.Asking.OTHER_THAN_STARTER)
        ? MayAnswer.OTHER_THAN_STARTER
        : MayAnswer.ANYBODY;
  }

  public OptionalInt perRunMax() {
    return least(Rule::perRunMax);
  }

  public OptionalInt perMessageMax() {
    return least(Rule::perMessageMax);
  }

  private OptionalInt least(ToIntFunction<Rule> limit) {
    return limit(rules.stream().mapToInt(limit).min().orElse(UNLIMITED));
  }

  static OptionalInt limit(int calls) {
    return calls == UNLIMITED ? OptionalInt.empty() : OptionalInt.of(calls);
  }

  /// Whether all conditions hold; one that fails does not.
  public boolean accepts(ToolCall toolCall, NodeCall task) {
    return rules.stream()
        .flatMap(it -> it.condition().stream())
        .allMatch(it -> holds(it, toolCall, task));
  }

  private static boolean holds(Condition condition, ToolCall toolCall, NodeCall task) {
    try {
      return condition.test(task.with("input", toolCall.json()));
    } catch (ExpressionException _) {
      return false;
    }
  }
}
