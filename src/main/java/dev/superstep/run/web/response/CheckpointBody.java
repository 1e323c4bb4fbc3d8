package dev.superstep.run.web.response;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.task.Activation;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.run.view.CheckpointView;
import dev.superstep.run.view.CheckpointView.Applied;
import dev.superstep.run.web.request.ChangeBody;
import dev.superstep.run.web.response.StateBody.StateValues;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A checkpoint in full, with what is pending.
@Schema(name = "Checkpoint", description = "What a commit of a run stored")
public final class CheckpointBody extends CheckpointSummaryBody {
  @JsonProperty("pending_activations")
  @Schema(description = "What runs next, in task order")
  final List<ActivationBody> pendingActivations;

  @JsonProperty("pending_results")
  @Schema(description = "Tasks of the superstep that is held")
  final List<TaskBody> pendingResults;

  final List<InterruptBody> interrupts;

  @Schema(description = "Partly satisfied joins: edge id → sources that have arrived")
  final Map<String, List<String>> joins;

  @Schema(
      description = "What the checkpoint applied, in task order; absent where a read is without it")
  final @Nullable List<AppliedBody> changes;

  final ObjectValue state;

  @Schema(description = "With `values_max`: what `state` comes without")
  final @Nullable List<StateValues.OmittedBody> omitted;

  /// @param without what it does not show
  public CheckpointBody(CheckpointView view, StateValues wanted, Set<CheckpointPart> without) {
    super(view.summary());
    pendingActivations = view.pending().stream().map(ActivationBody::of).toList();
    pendingResults = view.pendingResults().stream().map(TaskBody::new).toList();
    interrupts = view.interrupts().stream().map(InterruptBody::new).toList();
    joins = new TreeMap<>();
    view.joins().forEach((edge, sources) -> joins.put(edge, names(sources)));
    changes =
        without.contains(CheckpointPart.CHANGES)
            ? null
            : view.changes().stream().map(AppliedBody::of).toList();
    var shown = wanted.shown(view.state());
    state = shown.state();
    omitted = shown.omitted();
  }

  /// A part of a checkpoint that may be large, and that a read can leave out.
  public enum CheckpointPart {
    CHANGES;

    /// The name in the API.
    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static List<String> names(Set<NodeId> nodes) {
    return nodes.stream().map(NodeId::value).sorted().toList();
  }

  @Schema(
      name = "Activation",
      description = "A node that is to run: a dispatch if it has a `dispatch_id`")
  record ActivationBody(
      String node,
      @JsonProperty("dispatch_id") @Nullable String dispatchId,
      @Nullable ObjectValue input,
      @Nullable ObjectValue metadata) {
    static ActivationBody of(Activation activation) {
      var node = activation.node().value();
      return switch (activation) {
        case Activation.Plain _ -> new ActivationBody(node, null, null, null);
        case Activation.Sent(var dispatch) ->
            new ActivationBody(node, dispatch.id(), dispatch.input(), dispatch.metadata());
      };
    }
  }

  @Schema(name = "AppliedChange", description = "A change and the task it comes from, if any")
  record AppliedBody(
      @JsonProperty("task_id") @Nullable String taskId,
      @Nullable String node,
      @JsonProperty("dispatch_id") @Nullable String dispatchId,
      ChangeBody change) {
    static AppliedBody of(Applied applied) {
      var task = applied.task();
      return new AppliedBody(
          task.map(TaskKey::toString).orElse(null),
          task.map(it -> it.node().value()).orElse(null),
          task.map(TaskKey::dispatchId).orElse(null),
          ChangeBody.of(applied.change()));
    }
  }
}
