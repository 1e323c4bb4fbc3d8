package dev.superstep.run.start;

import dev.superstep.checkpoint.CommitListener;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.RunSignals;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.springframework.dao.DataAccessResourceFailureException;

/// The store of a run that has begun before it is inserted: its first write inserts it. Until then
/// nobody knows of the run but the caller who waits for it, and who is given its failure; the
/// driver drops the run then.
final class EarlyStartStore implements CheckpointStore {
  private final CheckpointStore store;
  private final CommitListener listener;
  private final Insertion insertion;
  private final NewRun newRun;
  private final CountDownLatch tried = new CountDownLatch(1);
  private boolean inserted;

  /// Inserts the run, and returns when its outcome is known.
  @FunctionalInterface
  interface Insertion {
    void insert(NewRun newRun);
  }

  /// @param store for all writes behind the first
  EarlyStartStore(
      CheckpointStore store, CommitListener listener, Insertion insertion, NewRun newRun) {
    this.store = store;
    this.listener = listener;
    this.insertion = insertion;
    this.newRun = newRun;
  }

  /// Waits for the insert.
  ///
  /// @return empty if it did not take place
  /// @throws RuntimeException if its outcome is unknown
  Optional<NewRun.Inserted> await() throws InterruptedException {
    tried.await();
    return newRun.inserted();
  }

  /// The run is not driven here any more.
  void drop() {
    tried.countDown();
  }

  private NewRun.Inserted insert(Lease lease, List<Commit> commits) {
    try {
      newRun.insertWith(commits);
      insertion.insert(newRun);
    } catch (StoreUnavailableException e) {
      newRun.failed(
          new DataAccessResourceFailureException("the outcome of the insert is unknown", e));
      throw e;
    } catch (RuntimeException e) {
      newRun.failed(e);
      throw e;
    } finally {
      tried.countDown();
    }
    var result = newRun.knownInsert().orElseThrow(() -> new LeaseLostException(lease));
    inserted = true;
    newRun.forgetCommits();
    return result;
  }

  private void require(Lease lease) {
    if (!inserted) {
      insert(lease, List.of());
    }
  }

  @Override
  public boolean isOnDisk(Lease lease) {
    return inserted;
  }

  @Override
  public CommitResult commit(Lease lease, List<Commit> commits) {
    if (inserted) {
      return store.commit(lease, commits);
    }
    if (!commits.stream().allMatch(Commit::isPlain)) {
      insert(lease, List.of());
      return store.commit(lease, commits);
    }
    var result = new CommitResult.Committed(insert(lease, commits).lastAt());
    if (!commits.isEmpty()) {
      listener.committed(lease, commits, result);
    }
    return result;
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    require(lease);
    store.record(lease, records, events);
  }

  @Override
  public RunSignals signals(Lease lease) {
    require(lease);
    return store.signals(lease);
  }

  @Override
  public RunSignals signals(Lease lease, int message) {
    require(lease);
    return store.signals(lease, message);
  }

  @Override
  public RunSignals expire(Lease lease, List<String> interrupts) {
    require(lease);
    return store.expire(lease, interrupts);
  }

  @Override
  public RunSignals cancel(Lease lease, List<String> interrupts) {
    require(lease);
    return store.cancel(lease, interrupts);
  }

  /// The run is inserted before a task begins that may have steps or callbacks.
  @Override
  public StepPage steps(Lease lease, String task, int from) {
    return store.steps(lease, task, from);
  }

  @Override
  public boolean record(Lease lease, StepWrite steps) {
    return store.record(lease, steps);
  }

  @Override
  public OpenCallback openCallback(Lease lease, CallbackWrite callback) {
    return store.openCallback(lease, callback);
  }

  @Override
  public boolean withdrawCallback(Lease lease, String id) {
    return store.withdrawCallback(lease, id);
  }

  @Override
  public boolean isAwaited(Lease lease, String type) {
    return store.isAwaited(lease, type);
  }

  @Override
  public List<EndedWorker> workerEnds(Lease lease, Set<String> waiting) {
    return store.workerEnds(lease, waiting);
  }

  @Override
  public ChildEnd childEnd(String run) {
    return store.childEnd(run);
  }

  @Override
  public void close(Lease lease) {
    store.close(lease);
  }
}
