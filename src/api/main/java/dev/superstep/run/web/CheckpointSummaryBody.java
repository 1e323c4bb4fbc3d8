package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.CheckpointSummary;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A checkpoint in lists.
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
class CheckpointSummaryBody {
  final int checkpoint;

  final int superstep;

  final String kind;

  final @Nullable Integer parent;

  @JsonProperty("state_hash")
  final String stateHash;

  @JsonProperty("created_at")
  final Instant createdAt;

  public CheckpointSummaryBody(CheckpointSummary view) {
    checkpoint = view.number();
    superstep = view.superstep();
    kind = view.kind().text();
    parent = view.parent().orElse(null);
    stateHash = view.stateHash();
    createdAt = view.createdAt();
  }
}
