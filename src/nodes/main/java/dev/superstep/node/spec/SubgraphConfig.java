package dev.superstep.node.spec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs another graph as one node: a run of its own, whose end, questions and failure are the
/// node's. What the child spends on models counts in the usage of the calling run and draws on its
/// budget, besides the limits that the child's own graph sets.
public interface SubgraphConfig {
  /// The name of a stored graph, or #name for one under `graphs` in this definition.
  SubgraphConfig graph(String value);

  /// The child's input, an object; templates. Default: the dispatch input, else {}.
  SubgraphConfig input(@Nullable Object value);

  /// An earlier name of result.
  SubgraphConfig output(@Nullable Object value);

  /// The node result, as templates over `response`, the child's output. Default: the child's output
  /// goes to the channel named like the node.
  SubgraphConfig result(Map<String, ?> value);

  /// The node result, as templates over `response`, the child's output. Default: the child's output
  /// goes to the channel named like the node.
  SubgraphConfig result(String value);

  /// Its version. Default: the newest when the child begins. Not with #name.
  SubgraphConfig version(long value);
}
