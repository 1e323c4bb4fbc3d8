package dev.superstep.run.stream;

import dev.superstep.run.CheckpointView;
import dev.superstep.run.CommitView;
import dev.superstep.run.EventView;
import dev.superstep.run.RunQueries;
import java.util.Optional;

/// Reads the checkpoints that the events of a stream are about.
public final class CommitReader {
  private final RunQueries queries;

  public CommitReader(RunQueries queries) {
    this.queries = queries;
  }

  /// The checkpoint that a commit of a superstep has made; empty if it is erased or the event is
  /// another one.
  public Optional<CheckpointView> find(EventView event) {
    return commit(event).map(CommitView::checkpoint);
  }

  /// Likewise, with what came before it.
  public Optional<CommitView> commit(EventView event) {
    return PendingEvents.isCommit(event)
        ? event.event().superstep().flatMap(it -> queries.commit(event.run(), it))
        : Optional.empty();
  }
}
