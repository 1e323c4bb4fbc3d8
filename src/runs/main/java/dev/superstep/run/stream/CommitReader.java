package dev.superstep.run.stream;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.problem.Cursor;
import dev.superstep.run.CheckpointSummary;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.EventView;
import dev.superstep.run.Page;
import dev.superstep.run.RunQueries;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads the checkpoints that the events of a stream are about.
public final class CommitReader {
  private static final int PAGE = 200;
  private static final Set<CheckpointKind> COMMITS =
      Set.of(CheckpointKind.STEP, CheckpointKind.FINAL);

  /// What a run stores while it is stopped.
  private static final Set<CheckpointKind> BETWEEN =
      Set.of(CheckpointKind.HELD, CheckpointKind.UPDATE);

  private final RunQueries queries;

  public CommitReader(RunQueries queries) {
    this.queries = queries;
  }

  /// The checkpoint that a commit of a superstep has made; empty if it is erased or the event is
  /// another one.
  public Optional<CheckpointView> find(EventView event) {
    return PendingEvents.isCommit(event)
        ? event.event().superstep().flatMap(it -> find(event.run(), it))
        : Optional.empty();
  }

  private Optional<CheckpointView> find(String run, int superstep) {
    return queries
        .checkpoints(run, Optional.of(superstep), Page.Request.first(PAGE))
        .items()
        .stream()
        .filter(it -> COMMITS.contains(it.kind()))
        .findFirst()
        .map(it -> queries.checkpoint(run, it.number()));
  }

  /// Whether the run has stopped in the superstep that this checkpoint has committed.
  public boolean isHeld(String run, CheckpointSummary commit) {
    var before = new Page.Request(Optional.of(Cursor.write(List.of("" + commit.number()))), 1);
    return queries.checkpoints(run, Optional.empty(), before).items().stream()
        .anyMatch(it -> BETWEEN.contains(it.kind()));
  }
}
