package dev.superstep.run.web.response;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.view.ThreadView;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// A thread with the state from which its next run starts.
@Schema(name = "ThreadState", description = "A conversation: several runs, one after the other")
public record ThreadBody(
    @JsonProperty("thread_id") @Schema(example = "support-4711") String threadId,
    @JsonProperty("last_run") RunSummaryBody lastRun,
    @Schema(description = "Whose state it is; absent while nothing is committed")
        @Nullable HeadItem head,
    @Schema(description = "What the next run would start from") ObjectValue state) {

  public static ThreadBody of(ThreadView view) {
    var head = view.head().map(it -> new HeadItem(it.run(), it.checkpoint())).orElse(null);
    return new ThreadBody(view.id(), new RunSummaryBody(view.lastRun()), head, view.state());
  }

  @Schema(name = "ThreadHead", description = "The newest committed checkpoint of a thread")
  record HeadItem(@JsonProperty("run_id") String runId, int checkpoint) {}
}
