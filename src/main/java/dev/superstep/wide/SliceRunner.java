package dev.superstep.wide;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.slice.SliceLostException;
import dev.superstep.checkpoint.slice.SliceRows;
import dev.superstep.checkpoint.slice.TakenSlice;
import dev.superstep.engine.SliceLoop;
import dev.superstep.engine.port.Inbox;
import dev.superstep.engine.port.Ports;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.LeaseLostException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Executes one slice on the calling thread and answers for whatever goes wrong on the way.
@Component
class SliceRunner {
  private static final Logger log = LoggerFactory.getLogger(SliceRunner.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final SliceContextLoader sliceContextLoader;
  private final SliceRows rows;
  private final ObjectProvider<Ports> ports;
  private final EngineLimits limits;

  /// @param ports made after what executes slices: drivers need that to cut
  SliceRunner(
      SliceContextLoader sliceContextLoader,
      SliceRows rows,
      ObjectProvider<Ports> ports,
      EngineLimits limits) {
    this.sliceContextLoader = sliceContextLoader;
    this.rows = rows;
    this.ports = ports;
    this.limits = limits;
  }

  /// @return whether this thread may go on with another slice
  boolean execute(SliceWorkerGroup sliceWorkerGroup, TakenSlice slice, Inbox inbox) {
    try {
      if (run(sliceWorkerGroup, slice, inbox)) {
        return true;
      }
      log.info("{} was stopped here", slice);
    } catch (SliceLostException | LeaseLostException e) {
      log.info("{}; it is dropped here", e.getMessage());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.warn("{} cannot be read or written", slice, e);
    } catch (RuntimeException | StackOverflowError e) {
      if (StoredForm.isNewer(e)) {
        log.info("{} is left to a newer release: {}", slice, e.getMessage());
        rows.giveBack(slice);
        return false;
      }
      log.error("{} broke; whoever takes it begins with what is recorded", slice, e);
      pause();
    }
    rows.giveBack(slice);
    return false;
  }

  /// @return false if it was stopped before its end
  private boolean run(SliceWorkerGroup sliceWorkerGroup, TakenSlice slice, Inbox inbox)
      throws InterruptedException {
    // Who takes over a slice needs what was recorded of it.
    var sliceContext =
        slice.claim() == 1
            ? sliceWorkerGroup.scene(sliceContextLoader)
            : sliceContextLoader.load(slice.of());
    if (sliceContext.image().checkpoint().number() != slice.checkpoint()) {
      throw new LeaseLostException(slice.of().lease());
    }
    var rest =
        new SliceLoop(ports.getObject(), limits(slice.quota()))
            .run(
                sliceContext.program(),
                sliceContext.image(),
                slice.tasks(),
                new SliceStore(rows, slice),
                inbox);
    rest.ifPresent(it -> rows.close(slice, it.records(), it.events()));
    return rest.isPresent();
  }

  private EngineLimits limits(int quota) {
    return new EngineLimits(
        limits.superstepsDefault(),
        quota,
        limits.superstepDispatchesMax(),
        limits.runDispatchesMax(),
        limits.stateBytesMax(),
        limits.resultBytesMax(),
        limits.timeoutDefault());
  }

  /// What broke here once will break again; meanwhile others may take it.
  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
