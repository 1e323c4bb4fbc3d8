package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.run.RunHead;
import dev.superstep.run.RunSummary;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A run in lists, and the part of every answer about a run that is the same.
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
class RunSummaryBody {
  final String id;

  final String graph;

  final int version;

  final String status;

  final int superstep;

  final int checkpoint;

  final LimitsBody limits;
  final @Nullable ErrorBody error;
  final @Nullable BreakpointBody breakpoint;

  @JsonProperty("thread_id")
  final @Nullable String threadId;

  final Map<String, String> metadata;

  final int priority;

  final String durability = "sync";

  @JsonProperty("created_by")
  final @Nullable String createdBy;

  @JsonProperty("created_at")
  final Instant createdAt;

  @JsonProperty("started_at")
  final @Nullable Instant startedAt;

  @JsonProperty("finished_at")
  final @Nullable Instant finishedAt;

  @JsonProperty("wakes_at")
  final @Nullable Instant wakesAt;

  final @Nullable ParentBody parent;

  final @Nullable CheckpointRefBody from;

  public RunSummaryBody(RunSummary run) {
    var origin = run.origin();
    var standing = run.standing();
    var settings = run.settings();
    var times = run.times();
    id = Tenant.shown(origin.id());
    graph = Tenant.shown(origin.graph());
    version = origin.version();
    status = standing.status().name().toLowerCase(Locale.ROOT);
    superstep = standing.superstep();
    checkpoint = standing.checkpoint();
    limits = LimitsBody.of(settings.limits());
    error = standing.error().map(ErrorBody::of).orElse(null);
    breakpoint = standing.breakpoint().map(BreakpointBody::of).orElse(null);
    threadId = origin.thread().map(Tenant::shown).orElse(null);
    metadata = origin.metadata();
    priority = settings.priority();
    createdBy = origin.createdBy().orElse(null);
    createdAt = times.createdAt();
    startedAt = times.startedAt().orElse(null);
    finishedAt = times.finishedAt().orElse(null);
    wakesAt = times.wakesAt().orElse(null);
    parent = origin.parent().map(ParentBody::of).orElse(null);
    from = origin.from().filter(it -> !it.isBeforeInput()).map(CheckpointRefBody::of).orElse(null);
  }

  record ParentBody(
      @JsonProperty("run_id") String runId,
      int checkpoint,
      @JsonProperty("task_id") @Nullable String taskId) {
    static ParentBody of(RunSummary.Parent parent) {
      return new ParentBody(
          Tenant.shown(parent.run()), parent.checkpoint(), parent.task().orElse(null));
    }
  }

  record BreakpointBody(String when, List<String> nodes) {
    static BreakpointBody of(RunHead.Breakpoint breakpoint) {
      return new BreakpointBody(breakpoint.when(), breakpoint.nodes());
    }
  }
}
