package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.StorageView;
import dev.superstep.run.StorageView.GraphStorage;
import java.util.List;

/// The report on storage.
record StorageBody(
    boolean estimated,
    @JsonProperty("runs_read") long runsRead,
    @JsonProperty("total_bytes") long totalBytes,
    List<GraphStorageBody> graphs) {

  public static StorageBody of(StorageView view) {
    return new StorageBody(
        view.estimated(),
        view.runsRead(),
        view.totalBytes(),
        view.graphs().stream().map(GraphStorageBody::of).toList());
  }

  record GraphStorageBody(
      String graph, long runs, long active, long checkpoints, long events, long bytes) {
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
