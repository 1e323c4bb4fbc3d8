package dev.superstep.node.llm;

import dev.superstep.engine.Compactor;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskParkedException;
import dev.superstep.model.ModelException;
import dev.superstep.state.Change;
import dev.superstep.state.ListCompaction;
import java.util.List;
import java.util.Optional;

/// Recovers from a conversation that a model refuses as too long: runs the compaction that its
/// channel declares, at once and whatever its threshold, and allows one more try.
///
/// @param compactor empty: the channel declares none, and the refusal is a failure
record OverflowRecovery(Optional<Compactor> compactor) {
  private static final String TOO_LONG = "context_length_exceeded";

  /// @return empty: the refusal has another reason, there is nothing to compact, or the summary
  ///   failed
  Optional<ListCompaction> compaction(NodeCall call, ModelException refusal)
      throws InterruptedException {
    return refusal.error().code().equals(TOO_LONG) && compactor.isPresent()
        ? compaction(call, compactor.get())
        : Optional.empty();
  }

  private static Optional<ListCompaction> compaction(NodeCall call, Compactor compactor)
      throws InterruptedException {
    try {
      return compactor.run(call) instanceof Outcome.Done(var result)
          ? result.change().cuts().stream().findFirst()
          : Optional.empty();
    } catch (InterruptedException | TaskParkedException e) {
      throw e;
    } catch (TaskFailedException e) {
      if (RunBudget.isUsedUp(e.error())) {
        throw e;
      }
      return Optional.empty();
    } catch (Exception _) {
      return Optional.empty(); // the node then fails with the model's error
    }
  }

  /// The node's result plus the compaction that replaces old messages by the summary.
  static NodeResult with(NodeResult result, ListCompaction listCompaction) {
    var change = result.change();
    var both =
        new Change(
            change.remove(),
            change.removeMessages(),
            change.overwrite(),
            change.update(),
            List.of(listCompaction));
    return result.with(both);
  }
}
