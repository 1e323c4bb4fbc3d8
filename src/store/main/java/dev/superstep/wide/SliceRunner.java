package dev.superstep.wide;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.row.SliceLostException;
import dev.superstep.checkpoint.row.SliceRows;
import dev.superstep.checkpoint.step.TaskSteps;
import dev.superstep.checkpoint.work.SliceQueue;
import dev.superstep.checkpoint.work.TakenSlice;
import dev.superstep.engine.SliceLoop;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunSignals;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Executes one slice on the calling thread and handles its failures.
@Component
class SliceRunner {
  private static final Logger log = LoggerFactory.getLogger(SliceRunner.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final SliceContextLoader sliceContextLoader;
  private final SliceRows rows;
  private final SliceQueue queue;
  private final TaskSteps steps;
  private final Ports ports;
  private final EngineLimits limits;

  SliceRunner(
      SliceContextLoader sliceContextLoader,
      SliceRows rows,
      SliceQueue queue,
      TaskSteps steps,
      @Qualifier(WideConfiguration.SLICES) Ports ports,
      EngineLimits limits) {
    this.sliceContextLoader = sliceContextLoader;
    this.rows = rows;
    this.queue = queue;
    this.steps = steps;
    this.ports = ports;
    this.limits = limits;
  }

  /// @return whether this thread may continue with another slice
  boolean execute(TakenSlice slice, Inbox inbox) {
    try {
      if (run(slice, inbox)) {
        return true;
      }
      log.info("{} was stopped on this replica", slice);
    } catch (SliceLostException e) {
      log.info("{}; it is dropped here", e.getMessage());
      return true;
    } catch (LeaseLostException e) {
      log.info("{}; {} is withdrawn", e.getMessage(), slice);
      queue.withdraw(slice);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.warn("{} cannot be read or written", slice, e);
      pause();
    } catch (RuntimeException | StackOverflowError e) {
      if (StoredForm.isNewer(e)) {
        log.info("{} is left to a newer release: {}", slice, e.getMessage());
      } else {
        log.error("{} failed; its next owner starts from the recorded outcomes", slice, e);
      }
      pause();
    }
    queue.giveBack(slice);
    return false;
  }

  /// @return false if it was stopped before its end
  private boolean run(TakenSlice slice, Inbox inbox) throws InterruptedException {
    var sliceContext = sliceContextLoader.load(slice);
    var rest =
        new SliceLoop(ports(slice), limits(slice.work().quota()))
            .run(sliceContext.program(), sliceContext.loadedRun(), slice.work().tasks(), inbox);
    rest.ifPresent(it -> rows.close(slice, it.records(), it.events()));
    return rest.isPresent();
  }

  private Ports ports(TakenSlice slice) {
    return new Ports(
        new SliceStore(rows, steps, slice),
        ports.pool(),
        ports.clock(),
        ports.random(),
        ports.observer(),
        ports.slicing(),
        ports.tracing(),
        ports.leases(),
        ports.children());
  }

  private EngineLimits limits(int quota) {
    return new EngineLimits(
        limits.superstepsDefault(),
        quota,
        limits.superstepDispatchesMax(),
        limits.runDispatchesMax(),
        limits.stateBytesMax(),
        limits.resultBytesMax(),
        limits.timeoutDefault(),
        limits.deferral());
  }

  /// A slice that failed here would fail again; meanwhile other replicas may take others.
  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The store for the execution of one slice: it records outcomes and steps only.
  private record SliceStore(SliceRows rows, TaskSteps steps, TakenSlice slice)
      implements CheckpointStore {

    @Override
    public boolean mayRepeat(Lease lease) {
      return lease.epoch() != 1 || slice.repeated();
    }

    @Override
    public StepPage steps(Lease lease, String task, int from) {
      return steps.read(lease, task, from);
    }

    /// Another owner of the slice finds what is recorded, so that the fence of the run is enough.
    @Override
    public boolean record(Lease lease, StepWrite write) {
      return steps.record(lease, write);
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
      rows.record(slice, records, events);
    }

    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      throw new UnsupportedOperationException("a slice commits nothing");
    }

    @Override
    public RunSignals signals(Lease lease) {
      throw new UnsupportedOperationException("answers go to the driver");
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      throw new UnsupportedOperationException("questions are closed by the driver");
    }
  }
}
