package dev.superstep.node.tool;

import java.util.Optional;
import org.springframework.stereotype.Component;

/// Which graphs may use which tools of the server.
@Component
public final class ToolPermits {
  /// The code of tools that a graph may not use.
  public static final String NOT_ALLOWED = "tool_not_allowed";

  private final ToolPolicies policies;

  ToolPermits(ToolPolicies policies) {
    this.policies = policies;
  }

  /// Why a graph may not use a tool; empty if it may. Its own tools are its own affair.
  public Optional<String> refusal(Tools tools, String name, String graph) {
    return tools.ofServer(name).isEmpty() || policies.of(name).permits(graph)
        ? Optional.empty()
        : Optional.of(
            "graph '%s' may not use the tool '%s': the operator of this server allows it to others"
                .formatted(graph, name));
  }
}
