package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.TaskPart;
import dev.superstep.run.TaskView;
import dev.superstep.state.Change;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A task of a run, ended or not.
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class TaskBody {
  @JsonProperty("task_id")
  final String taskId;

  final int superstep;

  final String node;

  @JsonProperty("dispatch_id")
  final @Nullable String dispatchId;

  final String status;

  final int attempts;

  final @Nullable Value input;

  final @Nullable ChangeBody change;

  final @Nullable List<CutBody> compacted;

  final @Nullable ErrorBody error;

  final @Nullable SpentBody usage;

  @JsonProperty("idempotency_key")
  final String idempotencyKey;

  @JsonProperty("child_run_id")
  final @Nullable String childRunId;

  @JsonProperty("started_at")
  final @Nullable Instant startedAt;

  @JsonProperty("finished_at")
  final @Nullable Instant finishedAt;

  final @Nullable WaitBody wait;

  public TaskBody(TaskView view) {
    this(view, Set.of());
  }

  /// @param without what it does not show
  public TaskBody(TaskView view, Set<TaskPart> without) {
    taskId = view.id();
    superstep = view.key().superstep();
    node = view.key().node().value();
    dispatchId = view.key().dispatchId();
    status = view.status().apiName();
    attempts = view.calls().attempts();
    var written = without.contains(TaskPart.CHANGE) ? Optional.<Change>empty() : view.change();
    input = without.contains(TaskPart.INPUT) ? null : view.input().orElse(null);
    change = written.map(ChangeBody::of).orElse(null);
    compacted = written.map(CutBody::list).orElse(null);
    error = view.error().map(ErrorBody::of).orElse(null);
    usage = view.spent().isNothing() ? null : new SpentBody(view.spent());
    idempotencyKey = view.calls().idempotencyKey();
    childRunId = view.child().map(Tenant::shown).orElse(null);
    startedAt = view.times().startedAt().orElse(null);
    finishedAt = view.times().finishedAt().orElse(null);
    wait =
        view.times()
            .waits()
            .filter(_ -> view.status() == TaskView.Status.WAITING)
            .map(WaitBody::of)
            .orElse(null);
  }

  /// Until when it waits, and for what: `retry`, `timer` or `model_limit`.
  record WaitBody(Instant until, String reason) {

    private static WaitBody of(TaskView.TaskWait wait) {
      return new WaitBody(wait.until(), wait.reason().apiName());
    }
  }

  /// A part of a checkpoint: what a compaction has replaced.
  record CutBody(String channel, int from, int count, @Nullable ObjectValue summary) {

    /// Null if nothing was compacted.
    static @Nullable List<CutBody> list(Change change) {
      return change.cuts().isEmpty() ? null : change.cuts().stream().map(CutBody::of).toList();
    }

    private static CutBody of(ListCompaction listCompaction) {
      return new CutBody(
          listCompaction.channel(),
          listCompaction.from(),
          listCompaction.count(),
          listCompaction.summary().orElse(null));
    }
  }
}
