package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.graph.NodeId;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.EventView;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An event in lists and in streams.
@Schema(name = "RunEvent", description = "Something that happened in a run")
record EventBody(
    @Schema(description = "From 1, gap-free per run; absent for live events, which are not stored")
        @Nullable Long seq,
    @Schema(
            description =
                "`task.failed`: the superstep is held; `task.handled`: the task failed, and an"
                    + " error edge or `on_error: continue` took care of it",
            example = "superstep.committed")
        String type,
    @JsonProperty("run_id") String runId,
    Instant at,
    @Nullable Integer superstep,
    @Nullable String node,
    @JsonProperty("dispatch_id") @Nullable String dispatchId,
    ObjectValue data,
    @Schema(
            description =
                "In streams with `with=changes`: how each task of the superstep has ended, and what"
                    + " it has changed, in task order")
        @Nullable List<CheckpointBody.AppliedBody> changes,
    @Schema(description = "In streams with `with=state`: the state that was committed")
        @Nullable ObjectValue state) {

  public static EventBody of(EventView view) {
    var event = view.event();
    return new EventBody(
        view.seq().orElse(null),
        event.type(),
        view.run(),
        view.at(),
        event.superstep().orElse(null),
        event.node().map(NodeId::value).orElse(null),
        event.dispatchId().orElse(null),
        event.data(),
        null,
        null);
  }

  /// This commit with the requested contents of its checkpoint.
  public EventBody with(CheckpointView checkpoint, Set<Contents> contents) {
    return new EventBody(
        seq,
        type,
        runId,
        at,
        superstep,
        node,
        dispatchId,
        data,
        contents.contains(Contents.CHANGES) ? CheckpointBody.AppliedBody.of(checkpoint) : null,
        contents.contains(Contents.STATE) ? checkpoint.state() : null);
  }
}
