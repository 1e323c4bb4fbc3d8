package dev.superstep.run.start;

import dev.superstep.checkpoint.ChildEnds;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.Usage;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunSummary;
import dev.superstep.run.query.RunDetails;
import dev.superstep.run.query.RunHeads;
import dev.superstep.run.query.SpentByRun;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Reads how a child ended: the failure of the child is the failure of its task, code included.
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
                      "the run of graph '%s' was cancelled"
                          .formatted(Tenant.shown(child.origin().graph()))),
                  child),
              usage);
      case QUEUED, RUNNING, WAITING, INTERRUPTED, CANCELLING ->
          throw new IllegalStateException("run '%s' has not ended".formatted(child.id()));
    };
  }

  /// A child that exceeded its time is an attempt of its node that timed out (E31).
  private static TaskError error(RunSummary child, RunError failure) {
    var error = failure.error();
    if (error.code().equals("run_timeout")) {
      return with(
          TaskError.retryable(
              "node_timeout",
              "graph '%s' did not end in time".formatted(Tenant.shown(child.origin().graph()))),
          child);
    }
    var where =
        failure
            .task()
            .map(it ->
                "graph '%s', node '%s'".formatted(Tenant.shown(child.origin().graph()), it.node()))
            .orElse("graph '%s'".formatted(Tenant.shown(child.origin().graph())));
    var located =
        new TaskError(
            error.code(),
            "%s: %s".formatted(where, error.message()),
            error.retryable(),
            Optional.empty(),
            error.details());
    return with(whose(located, child), child);
  }

  /// Names the run whose budget it was, as far as the child knows: the child, or a run below it.
  private static TaskError whose(TaskError error, RunSummary child) {
    return RunBudget.isOfRun(error) && !error.details().has(RunBudget.WHOSE)
        ? error.with(RunBudget.WHOSE, Value.of(Tenant.shown(child.id())))
        : error;
  }

  private static TaskError with(TaskError error, RunSummary child) {
    return error.with("child_run_id", Value.of(Tenant.shown(child.id())));
  }
}
