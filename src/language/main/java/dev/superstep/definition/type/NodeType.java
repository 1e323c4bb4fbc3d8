package dev.superstep.definition.type;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.Optional;

/// A kind of node: a Spring bean for each. It publishes what its `config` may hold and makes the
/// runners of its nodes.
public interface NodeType {

  /// The value of `type` in a definition.
  String name();

  /// One sentence for people who choose a type: that of [#configSchema].
  default String description() {
    return configSchema().getOr("description", Value.of("")) instanceof Value.Text(var text)
        ? text
        : "";
  }

  /// JSON Schema of `config`, published as it is and checked before [#create] is called. A member
  /// that may be a template must allow a string; unknown members should be refused
  /// (`additionalProperties: false`).
  ObjectValue configSchema();

  /// Makes the runner of one node. CalledGraph whenever a definition is checked or loaded: no
  /// effects.
  ///
  /// @param node its `config` satisfies [#configSchema]
  /// @throws InvalidNodeException naming every problem the schema could not: templates that do not
  ///   compile, unknown functions, references to nothing
  NodeRunner create(Node node, GraphOutline graph);

  /// Whether this server can run such nodes. The others are accepted with a warning and fail with
  /// `node_type_unavailable`.
  default boolean available() {
    return true;
  }

  /// The time-out of an attempt when the node declares none. Empty: these nodes have no time-out
  /// and may not declare one.
  default Optional<Duration> defaultTimeout() {
    return Optional.of(Duration.ofMinutes(5));
  }

  /// Whether a node may declare a time-out.
  default boolean mayTimeOut() {
    return defaultTimeout().isPresent();
  }

  /// Which graph a node with this `config` runs, if it does (E41). `config` may not satisfy the
  /// schema.
  default Optional<CalledGraph> calls(ObjectValue config) {
    return Optional.empty();
  }

  /// @param version empty: the newest
  record CalledGraph(String graph, Optional<Integer> version) {}

  /// Whether its nodes make attempts that can fail or take long, so that `retry` and `timeout` mean
  /// something.
  default boolean makesAttempts() {
    return true;
  }

  /// Whether results of its nodes may be kept for other tasks. They may not where they name what
  /// the task has begun, or what the operator lets a person decide.
  default boolean mayBeCached() {
    return makesAttempts();
  }

  /// Whether an attempt gives the same outcome as the one before, so that `retry` repeats only what
  /// `retry_on` names.
  default boolean repeatsItself() {
    return false;
  }

  /// Whether the run ends with its nodes, so that nothing leads on from them.
  default boolean endsRun() {
    return false;
  }

  /// Whether a node with this `config` can come to no dispatches, so that `if_empty` means
  /// something.
  default boolean mayBeEmpty(ObjectValue config) {
    return false;
  }

  /// Which channels a node of this type writes.
  default WrittenChannels writes(Node node, GraphOutline graph) {
    return WrittenChannels.ANYTHING;
  }

  /// Reports what is wrong with a usable node, or questionable, when its definition is posted, and
  /// only then: stored versions keep running, whatever a later release refuses or warns of.
  ///
  /// @param config location of the node's `config`
  default void advise(Node node, GraphOutline graph, Location config) {}

  /// Whether the result of a node with this `config` may carry `goto` or `dispatch` (E26).
  default boolean mayRoute(ObjectValue config) {
    return true;
  }
}
