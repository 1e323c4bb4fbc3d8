package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ThreadSummary;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A thread that may have no run.
@Schema(name = "ThreadInfo", description = "A conversation, perhaps before its first run")
record ThreadItemBody(
    @JsonProperty("thread_id") @Schema(example = "support-4711") String threadId,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("updated_at")
        @Schema(description = "When it was last described, or a run of it began or ended")
        Instant updatedAt,
    @Schema(allowableValues = {"idle", "busy", "interrupted", "error"}) String status,
    ObjectValue metadata,
    @JsonProperty("last_run") @Schema(description = "Absent: it has no run")
        @Nullable RunSummaryBody lastRun) {

  public static ThreadItemBody of(ThreadSummary summary) {
    return new ThreadItemBody(
        summary.id(),
        summary.createdAt(),
        summary.updatedAt(),
        summary.status().apiName(),
        summary.metadata(),
        summary.lastRun().map(RunSummaryBody::new).orElse(null));
  }
}
