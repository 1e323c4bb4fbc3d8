package dev.superstep.wide;

import dev.superstep.checkpoint.SliceLostException;
import dev.superstep.checkpoint.SliceRows;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.TakenSlice;
import dev.superstep.engine.EngineLimits;
import dev.superstep.engine.Inbox;
import dev.superstep.engine.LeaseLostException;
import dev.superstep.engine.Ports;
import dev.superstep.engine.SliceLoop;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Executes one slice on the calling thread and answers for whatever goes wrong on the way.
@Component
class SliceExecution {
  private static final Logger log = LoggerFactory.getLogger(SliceExecution.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Scenes scenes;
  private final SliceRows rows;
  private final ObjectProvider<Ports> ports;
  private final EngineLimits limits;

  /// @param ports made after what executes slices: drivers need that to cut
  SliceExecution(Scenes scenes, SliceRows rows, ObjectProvider<Ports> ports, EngineLimits limits) {
    this.scenes = scenes;
    this.rows = rows;
    this.ports = ports;
    this.limits = limits;
  }

  /// @return whether this thread may go on with another slice
  boolean execute(Crew crew, TakenSlice slice, Inbox inbox) {
    try {
      if (run(crew, slice, inbox)) {
        return true;
      }
      log.info("{} was stopped here", slice);
    } catch (SliceLostException | LeaseLostException e) {
      log.info("{}; it is dropped here", e.getMessage());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
      log.warn("{} cannot be read or written: {}", slice, e.getMessage());
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
  private boolean run(Crew crew, TakenSlice slice, Inbox inbox) throws InterruptedException {
    // Who takes over a slice needs what was recorded of it.
    var scene = slice.claim() == 1 ? crew.scene(scenes) : scenes.load(slice.of());
    if (scene.image().checkpoint().number() != slice.checkpoint()) {
      throw new LeaseLostException(slice.of().lease());
    }
    var rest =
        new SliceLoop(ports.getObject(), limits(slice.quota()))
            .run(scene.program(), scene.image(), slice.tasks(), new SliceStore(rows, slice), inbox);
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
