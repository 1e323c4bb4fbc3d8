package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ThreadCheckpoint;
import dev.superstep.run.ThreadCheckpoint.CheckpointPosition;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A checkpoint in the history of its thread.
record ThreadCheckpointBody(
    String id,
    @JsonProperty("run_id") String runId,
    int checkpoint,
    int superstep,
    String kind,
    @Nullable ParentItem parent,
    @JsonProperty("state_hash") String stateHash,
    @JsonProperty("created_at") Instant createdAt) {

  public static ThreadCheckpointBody of(ThreadCheckpoint view) {
    var position = view.position();
    return new ThreadCheckpointBody(
        position.id().text(),
        position.at().run(),
        position.at().checkpoint(),
        view.superstep(),
        view.kind().name().toLowerCase(Locale.ROOT),
        view.parent().map(ParentItem::of).orElse(null),
        view.stateHash(),
        position.id().at());
  }

  @Schema(name = "ThreadCheckpointParent")
  record ParentItem(String id, @JsonProperty("run_id") String runId, int checkpoint) {
    static ParentItem of(CheckpointPosition position) {
      return new ParentItem(position.id().text(), position.at().run(), position.at().checkpoint());
    }
  }
}
