package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CommitListener;
import dev.superstep.checkpoint.step.TaskSteps;
import dev.superstep.checkpoint.work.CallbackWriter;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.RunSignals;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/// The drivers' checkpoint store on PostgreSQL. It calls the listener after each write; all SQL of
/// a driver goes through it.
@Component
final class PostgresCheckpointStore implements CheckpointStore {
  private final SyncStore sync;
  private final ObjectProvider<TaskSteps> steps;
  private final ObjectProvider<CallbackWriter> callbacks;
  private final SnapshotPolicy snapshotPolicy;
  private final CommitListener listener;

  public PostgresCheckpointStore(
      SyncStore sync,
      ObjectProvider<TaskSteps> steps,
      ObjectProvider<CallbackWriter> callbacks,
      SnapshotPolicy snapshotPolicy,
      CommitListener listener) {
    this.sync = sync;
    this.steps = steps;
    this.callbacks = callbacks;
    this.snapshotPolicy = snapshotPolicy;
    this.listener = listener;
  }

  @Override
  public void close(Lease lease) {
    snapshotPolicy.drop(lease.run());
  }

  @Override
  public CommitResult commit(Lease lease, List<Commit> commits) {
    try {
      var result = sync.commit(lease, commits);
      listener.committed(lease, commits, result);
      return result;
    } catch (LeaseLostException e) {
      listener.fenced(lease);
      throw e;
    }
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    try {
      sync.record(lease, records, events);
      listener.recorded(lease);
    } catch (LeaseLostException e) {
      listener.fenced(lease);
      throw e;
    }
  }

  @Override
  public StepPage steps(Lease lease, String task, int from) {
    return steps.getObject().read(lease, task, from);
  }

  @Override
  public boolean record(Lease lease, StepWrite write) {
    try {
      return steps.getObject().record(lease, write);
    } catch (LeaseLostException e) {
      listener.fenced(lease);
      throw e;
    }
  }

  @Override
  public OpenCallback openCallback(Lease lease, CallbackWrite callback) {
    try {
      return callbacks.getObject().open(lease, callback);
    } catch (LeaseLostException e) {
      listener.fenced(lease);
      throw e;
    }
  }

  @Override
  public boolean withdrawCallback(Lease lease, String id) {
    try {
      return callbacks.getObject().withdraw(lease, id);
    } catch (LeaseLostException e) {
      listener.fenced(lease);
      throw e;
    }
  }

  @Override
  public boolean isAwaited(Lease lease, String type) {
    return sync.isAwaited(lease, type);
  }

  @Override
  public List<EndedWorker> workerEnds(Lease lease, Set<String> waiting) {
    return sync.workerEnds(lease, waiting);
  }

  @Override
  public ChildEnd childEnd(String run) {
    return sync.childEnd(run);
  }

  @Override
  public RunSignals signals(Lease lease) {
    return signals(lease, 0);
  }

  @Override
  public RunSignals signals(Lease lease, int message) {
    return sync.signals(lease, message);
  }

  @Override
  public RunSignals expire(Lease lease, List<String> interrupts) {
    return sync.close(lease, interrupts, "expired");
  }

  @Override
  public RunSignals cancel(Lease lease, List<String> interrupts) {
    return sync.close(lease, interrupts, "cancelled");
  }
}
