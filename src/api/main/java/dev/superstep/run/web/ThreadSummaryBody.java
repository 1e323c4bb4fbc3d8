package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ThreadSummary;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;

/// A thread in the list of those that have runs.
record ThreadSummaryBody(
    @JsonProperty("thread_id") String threadId,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("updated_at") Instant updatedAt,
    String status,
    ObjectValue metadata,
    @JsonProperty("last_run") RunSummaryBody lastRun) {

  public static ThreadSummaryBody of(ThreadSummary summary) {
    return new ThreadSummaryBody(
        summary.id(),
        summary.createdAt(),
        summary.updatedAt(),
        summary.status().apiName(),
        summary.metadata(),
        new RunSummaryBody(summary.lastRun().orElseThrow()));
  }
}
