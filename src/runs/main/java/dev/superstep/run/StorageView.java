package dev.superstep.run;

import java.util.List;

/// How much is stored for runs.
///
/// @param estimated whether the figures of graphs are reckoned from a sample of all runs
/// @param runsRead how many runs were read for it
/// @param totalBytes of everything that belongs to runs, indexes and free space included
/// @param graphs those that take the most first
public record StorageView(
    boolean estimated, long runsRead, long totalBytes, List<GraphStorage> graphs) {
  public StorageView {
    graphs = List.copyOf(graphs);
  }

  /// @param runs all of them, `active` among them
  /// @param bytes of the rows, about; indexes are not counted
  public record GraphStorage(
      String graph, long runs, long active, long checkpoints, long events, long bytes) {}
}
