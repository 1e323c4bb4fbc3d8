package dev.superstep.run.query;

import dev.superstep.context.ContextException;
import dev.superstep.engine.ContextExplanation;
import dev.superstep.engine.ContextViews.Explained;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.graph.NodeId;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.NodeContextView;
import dev.superstep.run.RunSummary;
import dev.superstep.run.store.RunFinder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Explains which prompt context tasks received, and why.
@Component
class ContextDetails {
  private final RunDetails details;
  private final RunFinder runFinder;

  ContextDetails(RunDetails details, RunFinder runFinder) {
    this.details = details;
    this.runFinder = runFinder;
  }

  /// The context of a task that checkpoint `number` activates; else of one of the superstep that it
  /// commits.
  ///
  /// @param dispatchId null for a plain activation
  /// @throws ServiceException `checkpoint_not_found`, `task_not_found`, `context_unavailable`
  NodeContextView view(RunSummary run, int number, String node, @Nullable String dispatchId) {
    var wanted = NodeId.isValid(node) ? new NodeId(node) : NodeId.START;
    var at = details.rebuild(run, number);
    var here = explain(run, at, wanted, dispatchId);
    if (here.isPresent()) {
      return new NodeContextView(number, here.get());
    }
    return before(run, at)
        .flatMap(it ->
            explain(run, it, wanted, dispatchId)
                .map(found -> new NodeContextView(it.number(), found)))
        .orElseThrow(() -> notFound(number, node, dispatchId));
  }

  /// The checkpoint that the tasks of the superstep committed by `at` ran on.
  private Optional<Checkpoint> before(RunSummary run, Checkpoint at) {
    return switch (at.stamp().kind()) {
      case STEP, FINAL -> Optional.of(details.rebuild(run, at.number() - 1));
      case INPUT, FORK, HELD, UPDATE -> Optional.empty();
    };
  }

  private Optional<Explained> explain(
      RunSummary run, Checkpoint at, NodeId node, @Nullable String dispatchId) {
    try {
      return ContextExplanation.of(
          runFinder.header(run), runFinder.graph(run).program(), at, node, dispatchId);
    } catch (ContextException e) {
      throw new ServiceException(
          ErrorCode.CONTEXT_UNAVAILABLE, "%s: %s".formatted(e.code(), e.getMessage()));
    }
  }

  private static ServiceException notFound(int number, String node, @Nullable String dispatchId) {
    var task = dispatchId == null ? "" : ", dispatch '%s'".formatted(dispatchId);
    return new ServiceException(
        ErrorCode.TASK_NOT_FOUND,
        "checkpoint %d neither activates node '%s'%s nor has run it; see its pending_activations"
            .formatted(number, node, task));
  }
}
