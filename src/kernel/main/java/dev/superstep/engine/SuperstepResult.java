package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunError;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The result of a superstep whose tasks have all ended.
sealed interface SuperstepResult {

  /// Every task is done or handled: this is to be committed.
  ///
  /// @param records in task order; handled failures replaced by [TaskRecord.TaskStatus.Handled]
  record Complete(GraphState state, List<TaskRecord> records, Pending pending, Effects effects)
      implements SuperstepResult {

    /// The error that the run ends with: that of the first task, in task order, that ends it.
    public Optional<RunError> runFailure() {
      for (var record : records) {
        var error = record.runFailure();
        if (error.isPresent()) {
          return error.map(it -> new RunError(it, Optional.of(record.key()), record.attempts()));
        }
      }
      return Optional.empty();
    }
  }

  /// Some task failed for good: the superstep must be held.
  ///
  /// @param records in task order; results that cannot be used replaced by
  ///   [TaskRecord.TaskStatus.Rejected]
  record Failing(List<TaskRecord> records) implements SuperstepResult {}

  /// @param opaque resulting values of channels with a user's merge (E19)
  /// @param touched channels that changed, for the event
  /// @param conflicts `last_value` channels with several writers
  /// @param notTaken the events of edges that were not taken (P13)
  record Effects(
      Map<String, Optional<Value>> opaque,
      List<String> touched,
      List<String> conflicts,
      List<Event> notTaken) {}
}
