package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ThreadView;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A thread with the state from which its next run starts.
@Schema(name = "ThreadState")
record ThreadBody(
    @JsonProperty("thread_id") String threadId,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("updated_at") Instant updatedAt,
    String status,
    ObjectValue metadata,
    @JsonProperty("last_run") @Nullable RunSummaryBody lastRun,
    @Nullable HeadItem head,
    ObjectValue state) {

  public static ThreadBody of(ThreadView view) {
    var summary = view.summary();
    return new ThreadBody(
        summary.id(),
        summary.createdAt(),
        summary.updatedAt(),
        summary.status().apiName(),
        summary.metadata(),
        summary.lastRun().map(RunSummaryBody::new).orElse(null),
        view.head().map(it -> new HeadItem(it.run(), it.checkpoint())).orElse(null),
        view.state());
  }

  @Schema(name = "ThreadHead")
  record HeadItem(@JsonProperty("run_id") String runId, int checkpoint) {}
}
