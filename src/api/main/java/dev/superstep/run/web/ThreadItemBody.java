package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ThreadSummary;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A thread that may have no run.
@Schema(name = "ThreadInfo")
record ThreadItemBody(
    @JsonProperty("thread_id") String threadId,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("updated_at") Instant updatedAt,
    String status,
    ObjectValue metadata,
    @JsonProperty("last_run") @Nullable RunSummaryBody lastRun) {

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
