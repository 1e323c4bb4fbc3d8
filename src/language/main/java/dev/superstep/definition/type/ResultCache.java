package dev.superstep.definition.type;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.NodeResult;
import java.time.Duration;
import java.util.Optional;

/// Keeps results of nodes, for tasks that would come to the same.
public interface ResultCache {
  /// Keeps nothing.
  ResultCache NONE =
      new ResultCache() {
        @Override
        public Optional<NodeResult> find(NodeCall call, String key) {
          return Optional.empty();
        }

        @Override
        public void keep(NodeCall call, String key, NodeResult result, Duration ttl) {}
      };

  /// What a task came to whose key was the same. Messages of the task that made it have the id of
  /// this call's.
  ///
  /// @param key tells graphs and tenants apart
  /// @return empty also if that cannot be found out now
  Optional<NodeResult> find(NodeCall call, String key);

  /// Keeps the result of this call, in place of another one, for as long as its run is kept at
  /// most; does nothing if that is not possible now.
  void keep(NodeCall call, String key, NodeResult result, Duration ttl);
}
