package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.run.RunHead;
import dev.superstep.run.RunSummary;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A run in lists, and the part of every answer about a run that is the same.
@Schema(name = "RunSummary", description = "A run without input, output and state")
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
class RunSummaryBody {
  @Schema(example = "0199f5a1-9b5e-7c62-a4f1-2f9d1c3b7a10")
  final String id;

  @Schema(example = "research-team")
  final String graph;

  @Schema(example = "3")
  final int version;

  @Schema(
      allowableValues = {
        "queued",
        "running",
        "waiting",
        "interrupted",
        "failed",
        "cancelling",
        "succeeded",
        "cancelled"
      })
  final String status;

  @Schema(description = "The last committed one; the number of `__end__` once it succeeded")
  final int superstep;

  @Schema(description = "Number of the last checkpoint")
  final int checkpoint;

  final LimitsBody limits;
  final @Nullable ErrorBody error;
  final @Nullable BreakpointBody breakpoint;

  @JsonProperty("thread_id")
  final @Nullable String threadId;

  @Schema(example = "{\"customer\": \"c-17\"}")
  final Map<String, String> metadata;

  @Schema(description = "Higher is claimed first")
  final int priority;

  @Schema(
      description =
          "Deprecated: always `sync`, also of runs that an earlier release began otherwise",
      allowableValues = "sync")
  final String durability = "sync";

  @JsonProperty("created_by")
  @Schema(
      description =
          "Who started it: the id of a key or of a token's subject; absent: no key was needed",
      example = "2c26b46b68ffc68f")
  final @Nullable String createdBy;

  @JsonProperty("created_at")
  final Instant createdAt;

  @JsonProperty("started_at")
  final @Nullable Instant startedAt;

  @JsonProperty("finished_at")
  final @Nullable Instant finishedAt;

  @JsonProperty("wakes_at")
  @Schema(description = "When a waiting run goes on by itself")
  final @Nullable Instant wakesAt;

  @Schema(description = "Where a fork or the run of a subgraph node comes from")
  final @Nullable ParentBody parent;

  @Schema(
      description =
          "The checkpoint of its thread from whose state it has begun, which may have been erased"
              + " since; absent: it has no thread, is its first run, or waits for it")
  final @Nullable CheckpointRefBody from;

  public RunSummaryBody(RunSummary run) {
    var origin = run.origin();
    var standing = run.standing();
    var settings = run.settings();
    var times = run.times();
    id = origin.id();
    graph = origin.graph();
    version = origin.version();
    status = standing.status().name().toLowerCase(Locale.ROOT);
    superstep = standing.superstep();
    checkpoint = standing.checkpoint();
    limits = LimitsBody.of(settings.limits());
    error = standing.error().map(ErrorBody::of).orElse(null);
    breakpoint = standing.breakpoint().map(BreakpointBody::of).orElse(null);
    threadId = origin.thread().orElse(null);
    metadata = origin.metadata();
    priority = settings.priority();
    createdBy = origin.createdBy().orElse(null);
    createdAt = times.createdAt();
    startedAt = times.startedAt().orElse(null);
    finishedAt = times.finishedAt().orElse(null);
    wakesAt = times.wakesAt().orElse(null);
    parent = origin.parent().map(ParentBody::of).orElse(null);
    from = origin.from().map(CheckpointRefBody::of).orElse(null);
  }

  @Schema(name = "Parent")
  record ParentBody(
      @JsonProperty("run_id") String runId,
      int checkpoint,
      @JsonProperty("task_id")
          @Schema(description = "The task that has begun this run; absent: it is a fork")
          @Nullable String taskId) {
    static ParentBody of(RunSummary.Parent parent) {
      return new ParentBody(parent.run(), parent.checkpoint(), parent.task().orElse(null));
    }
  }

  @Schema(
      name = "Breakpoint",
      description = "Where a run stopped between supersteps; a resume passes it")
  record BreakpointBody(
      @Schema(allowableValues = {"before", "after"}) String when, List<String> nodes) {
    static BreakpointBody of(RunHead.Breakpoint breakpoint) {
      return new BreakpointBody(breakpoint.when(), breakpoint.nodes());
    }
  }
}
