package dev.superstep.graph;

import java.util.List;
import java.util.Optional;

/// An edge from node to node.
public sealed interface Edge {

  String id();

  /// Taken when `from` is done and the condition, if any, holds (E23).
  ///
  /// @param weight decides between edges of a node with `edge_mode: first`
  record Flow(String id, NodeId from, Target target, Optional<Condition> condition, double weight)
      implements Edge {}

  /// Taken when `from` failed for good with one of `codes` (E32).
  ///
  /// @param codes error codes, `*` allowed at the end of one; empty: all
  /// @param errorTo channel that takes the error object
  record ErrorRoute(
      String id,
      NodeId from,
      Target target,
      Optional<Condition> condition,
      List<String> codes,
      Optional<String> errorTo)
      implements Edge {
    public ErrorRoute {
      codes = List.copyOf(codes);
    }

    public boolean handles(String code) {
      return codes.isEmpty() || codes.stream().anyMatch(it -> matches(it, code));
    }

    static boolean matches(String pattern, String code) {
      return pattern.endsWith("*")
          ? code.startsWith(pattern.substring(0, pattern.length() - 1))
          : code.equals(pattern);
    }
  }

  /// Leads from several sources to its targets once they have arrived (E27).
  record Join(String id, List<NodeId> from, List<NodeId> to, Mode mode) implements Edge {
    public Join {
      from = List.copyOf(from);
      to = List.copyOf(to);
    }

    public enum Mode {
      ALL,
      ANY,
      ACTIVATED
    }
  }
}
