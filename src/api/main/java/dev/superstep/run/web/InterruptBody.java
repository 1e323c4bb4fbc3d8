package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.InterruptView;
import dev.superstep.run.InterruptView.Expiry;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An interrupt with its answer, if it has one.
@Schema(name = "Interrupt", description = "A question that a task of a run has asked")
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class InterruptBody {
  final String id;

  @JsonProperty("run_id")
  final String runId;

  final String graph;

  @Schema(example = "review")
  final String node;

  @JsonProperty("dispatch_id")
  final @Nullable String dispatchId;

  final int superstep;

  @Schema(
      description =
          "The tasks that wait for this run, from the outermost run inwards; empty if no task has"
              + " begun it")
  final List<PathBody> path;

  @Schema(example = "need_approval")
  final String reason;

  @Schema(example = "{\"question\": \"Publish?\"}")
  final Value payload;

  @Schema(description = "JSON Schema of the answer")
  final @Nullable Value schema;

  @Schema(allowableValues = {"open", "answered", "expired", "cancelled"})
  final String status;

  final @Nullable Value answer;

  @JsonProperty("answered_by")
  @Schema(
      description =
          "Who answered: the id of a key or of a token's subject; absent: no key was needed",
      example = "2c26b46b68ffc68f")
  final @Nullable String answeredBy;

  @JsonProperty("created_at")
  final Instant createdAt;

  @JsonProperty("expires_at")
  final @Nullable Instant expiresAt;

  @JsonProperty("on_expiry")
  @Schema(allowableValues = {"fail", "answer"})
  final @Nullable String onExpiry;

  @JsonProperty("default_answer")
  @Schema(description = "With `on_expiry: answer`: what answers it when nobody has")
  final @Nullable Value defaultAnswer;

  public InterruptBody(InterruptView view) {
    var task = view.place().task();
    id = view.id();
    runId = view.place().run();
    graph = view.place().graph();
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
    createdAt = view.createdAt();
    expiresAt = view.expiry().map(Expiry::at).orElse(null);
    onExpiry =
        view.expiry().map(it -> it.defaultAnswer().isPresent() ? "answer" : "fail").orElse(null);
    defaultAnswer = view.expiry().flatMap(Expiry::defaultAnswer).orElse(null);
  }

  @Schema(name = "InterruptStep", description = "A task that waits for a run of its own")
  record PathBody(
      @JsonProperty("run_id") String runId,
      String graph,
      String node,
      @JsonProperty("dispatch_id") @Nullable String dispatchId,
      int superstep) {
    static PathBody of(InterruptView.Step step) {
      var task = step.task();
      return new PathBody(
          step.run(), step.graph(), task.node().value(), task.dispatchId(), task.superstep());
    }
  }
}
