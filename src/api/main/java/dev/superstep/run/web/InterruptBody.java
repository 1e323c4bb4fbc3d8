package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An interrupt with its answer, if it has one.
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class InterruptBody {
  final String id;

  @JsonProperty("run_id")
  final String runId;

  final String graph;

  final String node;

  @JsonProperty("dispatch_id")
  final @Nullable String dispatchId;

  final int superstep;

  final List<PathBody> path;

  final String reason;

  final Value payload;

  final @Nullable Value schema;

  final String status;

  final @Nullable Value answer;

  @JsonProperty("answered_by")
  final @Nullable String answeredBy;

  @JsonProperty("created_at")
  final Instant createdAt;

  @JsonProperty("expires_at")
  final @Nullable Instant expiresAt;

  @JsonProperty("on_expiry")
  final @Nullable String onExpiry;

  @JsonProperty("default_answer")
  final @Nullable Value defaultAnswer;

  @JsonProperty("may_answer")
  final @Nullable String mayAnswer;

  final @Nullable String assignee;

  final @Nullable List<String> candidates;

  final @Nullable List<String> not;

  public InterruptBody(StoredInterrupt view) {
    var task = view.place().task();
    id = view.id();
    runId = Tenant.shown(view.place().run());
    graph = Tenant.shown(view.place().graph());
    node = task.node().value();
    dispatchId = task.dispatchId();
    superstep = task.superstep();
    path = view.place().path().stream().map(PathBody::of).toList();
    reason = view.question().reason();
    payload = view.question().payload();
    schema = view.question().schema().orElse(null);
    status = view.status().apiName();
    answer = view.answer().orElse(null);
    answeredBy = view.answeredBy().orElse(null);
    createdAt = view.question().createdAt();
    expiresAt = view.question().expiresAt().orElse(null);
    onExpiry = StoredInterrupt.onExpiry(view.question());
    defaultAnswer = view.question().defaultAnswer().orElse(null);
    mayAnswer =
        view.question().mayAnswer() == MayAnswer.ANYBODY
            ? null
            : view.question().mayAnswer().text();
    var assignment = view.assignment();
    assignee = assignment.assignee().orElse(null);
    candidates = orNull(assignment.candidates());
    not = orNull(view.question().addressees().excluded());
  }

  private static @Nullable List<String> orNull(List<String> names) {
    return names.isEmpty() ? null : names;
  }

  @Schema(name = "InterruptStep")
  record PathBody(
      @JsonProperty("run_id") String runId,
      String graph,
      String node,
      @JsonProperty("dispatch_id") @Nullable String dispatchId,
      int superstep) {
    static PathBody of(StoredInterrupt.Step step) {
      var task = step.task();
      return new PathBody(
          Tenant.shown(step.run()),
          Tenant.shown(step.graph()),
          task.node().value(),
          task.dispatchId(),
          task.superstep());
    }
  }
}
