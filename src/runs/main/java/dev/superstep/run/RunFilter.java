package dev.superstep.run;

import dev.superstep.engine.run.RunStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which runs a search returns; every condition given must hold.
///
/// @param statuses one of these; empty: any
/// @param parent begun by a task of this run
/// @param errorCode with which the run has failed
/// @param metadata all of these
public record RunFilter(
    Optional<String> graph,
    Set<RunStatus> statuses,
    Optional<String> thread,
    Optional<String> parent,
    Optional<String> errorCode,
    Map<String, String> metadata,
    Optional<Instant> createdAfter,
    Optional<Instant> createdBefore) {
  public static final RunFilter ALL =
      new RunFilter(
          Optional.empty(),
          Set.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty());

  public RunFilter {
    statuses = Set.copyOf(statuses);
    metadata = Map.copyOf(metadata);
  }
}
