package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Limits;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// A run as lists show it: no input, no output, no state.
public record RunSummary(Origin origin, Standing standing, Settings settings, Times times) {

  public String id() {
    return origin.id();
  }

  public RunStatus status() {
    return standing.status();
  }

  /// The part of the request that the head of a run shows.
  ///
  /// @param from the checkpoint of its thread from whose state it has begun, or is to begin; empty:
  ///   it has no thread, is its first run, or waits for the thread
  /// @param createdBy the caller, of a child that of the outermost run; empty where no key was
  ///   needed
  public record Origin(
      String id,
      String graph,
      int version,
      Optional<String> thread,
      Map<String, String> metadata,
      Optional<Parent> parent,
      Optional<CheckpointRef> from,
      Optional<String> createdBy) {
    public Origin {
      metadata = Map.copyOf(metadata);
    }
  }

  /// The run that a fork or a child comes from.
  ///
  /// @param task that waits for it, as the API shows it; empty: it is a fork
  public record Parent(String run, int checkpoint, Optional<String> task) {}

  /// @param checkpoint number of the last one
  public record Standing(
      RunStatus status,
      int superstep,
      int checkpoint,
      Optional<RunError> error,
      Optional<RunHead.Breakpoint> breakpoint) {}

  /// @param limits those of the run, over those of the graph, over those of the server
  public record Settings(Limits limits, int priority) {}

  public record Times(
      Instant createdAt,
      Optional<Instant> startedAt,
      Optional<Instant> finishedAt,
      Optional<Instant> wakesAt) {}
}
