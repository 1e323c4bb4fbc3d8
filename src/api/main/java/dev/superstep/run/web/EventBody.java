package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.graph.NodeId;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.EventView;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An event in lists and in streams.
@Schema(name = "RunEvent")
record EventBody(
    @Nullable Long seq,
    String type,
    @JsonProperty("run_id") String runId,
    Instant at,
    @Nullable Integer superstep,
    @Nullable String node,
    @JsonProperty("dispatch_id") @Nullable String dispatchId,
    ObjectValue data,
    @Nullable List<CheckpointBody.AppliedBody> changes,
    @Nullable ObjectValue state) {

  public static EventBody of(EventView view) {
    var event = view.event();
    return new EventBody(
        view.seq().orElse(null),
        event.type(),
        Tenant.shown(view.run()),
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
