package dev.superstep.run;

import dev.superstep.checkpoint.ChildEnds;
import dev.superstep.engine.Budget;
import dev.superstep.engine.ChildEnd;
import dev.superstep.engine.RunError;
import dev.superstep.engine.TaskError;
import dev.superstep.engine.Usage;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// What became of a child: the failure of the child is the failure of its task, code included.
@Component
class StoredChildEnds implements ChildEnds {
  private final RunHeads heads;
  private final RunDetails details;
  private final SpentByRun spent;

  StoredChildEnds(RunHeads heads, RunDetails details, SpentByRun spent) {
    this.heads = heads;
    this.details = details;
    this.spent = spent;
  }

  @Override
  @Transactional(readOnly = true)
  public ChildEnd read(String run) {
    return heads
        .find(run)
        .map(this::readable)
        .orElseGet(() ->
            new ChildEnd.Failed(
                TaskError.permanent("child_deleted", "the run that it waited for was deleted"),
                Usage.NOTHING));
  }

  private ChildEnd readable(RunSummary child) {
    var usage = spent.of(child).total();
    try {
      return end(child, usage);
    } catch (ServiceException e) {
      var error = with(TaskError.permanent(e.code().code(), e.detail()), child);
      return new ChildEnd.Failed(error, usage);
    }
  }

  private ChildEnd end(RunSummary child, Usage usage) {
    return switch (child.status()) {
      case SUCCEEDED ->
          new ChildEnd.Succeeded(
              details.output(child).map(ObjectValue.class::cast).orElse(ObjectValue.empty()),
              usage);
      case FAILED ->
          new ChildEnd.Failed(
              child
                  .standing()
                  .error()
                  .map(it -> error(child, it))
                  .orElseGet(() -> TaskError.permanent("child_failed", "the child failed")),
              usage);
      case CANCELLED ->
          new ChildEnd.Failed(
              with(
                  TaskError.permanent(
                      "child_cancelled",
                      "the run of graph '%s' was cancelled".formatted(child.origin().graph())),
                  child),
              usage);
      case QUEUED, RUNNING, WAITING, INTERRUPTED, CANCELLING ->
          throw new IllegalStateException("run '%s' has not ended".formatted(child.id()));
    };
  }

  /// A child that was out of time is an attempt of its node that took too long (E31).
  private static TaskError error(RunSummary child, RunError failure) {
    var error = failure.error();
    if (error.code().equals("run_timeout")) {
      return with(
          TaskError.retryable(
              "node_timeout", "graph '%s' did not end in time".formatted(child.origin().graph())),
          child);
    }
    var where =
        failure
            .task()
            .map(it -> "graph '%s', node '%s'".formatted(child.origin().graph(), it.node()))
            .orElse("graph '%s'".formatted(child.origin().graph()));
    var told =
        new TaskError(
            error.code(),
            "%s: %s".formatted(where, error.message()),
            error.retryable(),
            Optional.empty(),
            error.details());
    return with(whose(told, child), child);
  }

  /// Whose budget it was, as far as the child knows: its own, or that of a run below it.
  private static TaskError whose(TaskError error, RunSummary child) {
    return Budget.isUsedUp(error) && !error.details().has(Budget.WHOSE)
        ? error.with(Budget.WHOSE, Value.of(child.id()))
        : error;
  }

  private static TaskError with(TaskError error, RunSummary child) {
    return error.with("child_run_id", Value.of(child.id()));
  }
}
