package dev.superstep.bench;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// Keeps the last state in memory, and does as much more of what a real store does as it is told.
/// For one caller.
final class KernelStore implements CheckpointStore {
  private static final InstantSource CLOCK = InstantSource.system();
  private final Set<Duty> duties;
  private GraphState state = GraphState.empty();
  private long written;

  /// What a store may be asked to do at each commit.
  enum Duty {
    /// The hash of the state (E46).
    HASH,
    /// Writing the events down.
    EVENTS
  }

  KernelStore(Set<Duty> duties) {
    this.duties = Set.copyOf(duties);
  }

  @Override
  public CommitResult commit(Lease lease, List<Commit> commits) {
    commits.forEach(this::commit);
    return new CommitResult.Committed(CLOCK.instant());
  }

  private void commit(Commit commit) {
    commit
        .checkpoint()
        .ifPresent(it -> {
          state = it.after().state();
          if (duties.contains(Duty.HASH)) {
            written += it.after().stateHash().length();
          }
        });
    if (duties.contains(Duty.EVENTS)) {
      commit.events().forEach(this::write);
    }
  }

  private void write(Event event) {
    written += Canonical.bytes(event.data()).length + event.type().length();
  }

  /// What the sum channel of the last state says.
  long counter() {
    return state.get("counter") instanceof Value.Int(var counter) ? counter : -1;
  }

  /// Keeps the work from being optimised away.
  long written() {
    return written;
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {}

  @Override
  public RunSignals signals(Lease lease) {
    return RunSignals.NONE;
  }

  @Override
  public RunSignals expire(Lease lease, List<String> interrupts) {
    return RunSignals.NONE;
  }
}
