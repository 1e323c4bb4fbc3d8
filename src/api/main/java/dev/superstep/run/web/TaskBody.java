package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.TaskPart;
import dev.superstep.run.TaskView;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A task of a run, ended or not.
@Schema(name = "Task", description = "One execution of one node in one superstep")
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class TaskBody {
  @JsonProperty("task_id")
  @Schema(example = "2:research:plan-0")
  final String taskId;

  final int superstep;

  @Schema(example = "research")
  final String node;

  @JsonProperty("dispatch_id")
  final @Nullable String dispatchId;

  @Schema(
      description =
          "`handled`: it failed, and an error edge or `on_error: continue` took care of it",
      allowableValues = {
        "running",
        "waiting",
        "succeeded",
        "handled",
        "failed",
        "interrupted",
        "cancelled"
      })
  final String status;

  final int attempts;

  @Schema(description = "Of a dispatch", example = "{\"topic\": \"cats\"}")
  final @Nullable Value input;

  final @Nullable ChangeBody change;

  @Schema(description = "What it took out of channels: of a compaction")
  final @Nullable List<CutBody> compacted;

  final @Nullable ErrorBody error;

  @Schema(
      description =
          "What it has spent on models, in all its attempts and with the run that it has begun;"
              + " absent: nothing")
  final @Nullable SpentBody usage;

  @JsonProperty("idempotency_key")
  @Schema(description = "What the node call sends as `Idempotency-Key`")
  final String idempotencyKey;

  @JsonProperty("child_run_id")
  @Schema(description = "Of a subgraph node: the last run that it has begun")
  final @Nullable String childRunId;

  @JsonProperty("started_at")
  final @Nullable Instant startedAt;

  @JsonProperty("finished_at")
  final @Nullable Instant finishedAt;

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
    childRunId = view.child().orElse(null);
    startedAt = view.times().startedAt().orElse(null);
    finishedAt = view.times().finishedAt().orElse(null);
  }
}
