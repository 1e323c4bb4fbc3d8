package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.run.Activation;
import dev.superstep.graph.NodeId;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.TaskEnd;
import dev.superstep.run.web.StateBody.StateValues;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A checkpoint in full, with what is pending.
final class CheckpointBody extends CheckpointSummaryBody {
  @JsonProperty("pending_activations")
  final List<ActivationBody> pendingActivations;

  @JsonProperty("pending_results")
  final List<TaskBody> pendingResults;

  final List<InterruptBody> interrupts;

  final Map<String, List<String>> joins;

  final @Nullable List<AppliedBody> changes;

  final ObjectValue state;

  final @Nullable List<StateValues.OmittedBody> omitted;

  /// @param without what it does not show
  public CheckpointBody(CheckpointView view, StateValues wanted, Set<CheckpointPart> without) {
    super(view.summary());
    pendingActivations = view.pending().stream().map(ActivationBody::of).toList();
    pendingResults = view.pendingResults().stream().map(TaskBody::new).toList();
    interrupts = view.interrupts().stream().map(InterruptBody::new).toList();
    joins = new TreeMap<>();
    view.joins().forEach((edge, sources) -> joins.put(edge, names(sources)));
    changes = without.contains(CheckpointPart.CHANGES) ? null : AppliedBody.of(view);
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

  @Schema(name = "AppliedChange")
  record AppliedBody(
      @JsonProperty("task_id") @Nullable String taskId,
      @Nullable String node,
      @JsonProperty("dispatch_id") @Nullable String dispatchId,
      ChangeBody change,
      @Nullable ErrorBody error,
      @JsonProperty("child_run_id") @Nullable String childRunId) {
    static List<AppliedBody> of(CheckpointView view) {
      var applied = new ArrayList<AppliedBody>();
      view.edit()
          .ifPresent(
              it -> applied.add(new AppliedBody(null, null, null, ChangeBody.of(it), null, null)));
      for (var end : view.ended()) {
        var changes = end.changes().isEmpty() ? List.of(Change.NONE) : end.changes();
        changes.forEach(it -> applied.add(of(end, it)));
      }
      return List.copyOf(applied);
    }

    private static AppliedBody of(TaskEnd end, Change change) {
      return new AppliedBody(
          end.task().toString(),
          end.task().node().value(),
          end.task().dispatchId(),
          ChangeBody.of(change),
          end.error().map(ErrorBody::of).orElse(null),
          end.child().map(Tenant::shown).orElse(null));
    }
  }
}
