package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ThreadView;
import dev.superstep.state.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;

@Schema(name = "ThreadState", description = "A conversation: several runs, one after the other")
record ThreadBody(
    @JsonProperty("thread_id") String threadId,
    @JsonProperty("last_run") RunSummaryBody lastRun,
    @Schema(description = "What the next run would start from") ObjectValue state) {

  static ThreadBody of(ThreadView view) {
    return new ThreadBody(view.id(), new RunSummaryBody(view.lastRun()), view.state());
  }
}
