package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.StorageView;
import dev.superstep.run.StorageView.GraphStorage;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/// The report on storage.
@Schema(name = "Storage", description = "How much is stored for runs")
record StorageBody(
    @Schema(description = "Whether the figures of graphs are estimated from a sample of the runs")
        boolean estimated,
    @JsonProperty("runs_read") @Schema(description = "Runs that were read for it", example = "2140")
        long runsRead,
    @JsonProperty("total_bytes")
        @Schema(
            description = "Of all runs and threads, with indexes and space that is free again",
            example = "3543348019")
        long totalBytes,
    @Schema(description = "Those that take the most first, at most 1,000")
        List<GraphStorageBody> graphs) {

  public static StorageBody of(StorageView view) {
    return new StorageBody(
        view.estimated(),
        view.runsRead(),
        view.totalBytes(),
        view.graphs().stream().map(GraphStorageBody::of).toList());
  }

  @Schema(name = "GraphStorage", description = "What the runs of a graph take")
  record GraphStorageBody(
      @Schema(description = "`parent#name` for an inline graph", example = "support") String graph,
      @Schema(example = "120400") long runs,
      @Schema(description = "Those that have not ended", example = "12") long active,
      @Schema(example = "1324400") long checkpoints,
      @Schema(example = "5900000") long events,
      @Schema(description = "Of their data, about; without indexes", example = "391000000")
          long bytes) {
    static GraphStorageBody of(GraphStorage storage) {
      return new GraphStorageBody(
          storage.graph(),
          storage.runs(),
          storage.active(),
          storage.checkpoints(),
          storage.events(),
          storage.bytes());
    }
  }
}
