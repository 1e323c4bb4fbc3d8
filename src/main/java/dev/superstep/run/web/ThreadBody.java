package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ThreadView;
import dev.superstep.state.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

@Schema(name = "ThreadState", description = "A conversation: several runs, one after the other")
record ThreadBody(
    @JsonProperty("thread_id") @Schema(example = "support-4711") String threadId,
    @JsonProperty("last_run") RunSummaryBody lastRun,
    @Schema(description = "Whose state it is; absent while nothing is committed")
        @Nullable HeadItem head,
    @Schema(description = "What the next run would start from") ObjectValue state) {

  static ThreadBody of(ThreadView view) {
    var head = view.head().map(it -> new HeadItem(it.run(), it.checkpoint())).orElse(null);
    return new ThreadBody(view.id(), new RunSummaryBody(view.lastRun()), head, view.state());
  }

  @Schema(name = "ThreadHead", description = "The newest committed checkpoint of a thread")
  record HeadItem(@JsonProperty("run_id") String runId, int checkpoint) {}
}
