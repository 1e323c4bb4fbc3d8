package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ThreadView;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A thread with the state from which its next run starts.
@Schema(name = "ThreadState", description = "A conversation: several runs, one after the other")
record ThreadBody(
    @JsonProperty("thread_id") @Schema(example = "support-4711") String threadId,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("updated_at") Instant updatedAt,
    @Schema(
            description =
                "`busy`: a run is active or waits; `interrupted`: nodes are pending that nothing"
                    + " drives, as at a question; `error`: the last run failed",
            allowableValues = {"idle", "busy", "interrupted", "error"})
        String status,
    ObjectValue metadata,
    @JsonProperty("last_run") @Schema(description = "Absent: it has no run")
        @Nullable RunSummaryBody lastRun,
    @Schema(description = "Whose state it is; absent while nothing is committed")
        @Nullable HeadItem head,
    @Schema(description = "What the next run would start from") ObjectValue state) {

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

  @Schema(name = "ThreadHead", description = "The newest committed checkpoint of a thread")
  record HeadItem(@JsonProperty("run_id") String runId, int checkpoint) {}
}
