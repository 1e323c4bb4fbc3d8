package dev.superstep.wide;

import dev.superstep.checkpoint.slice.SliceRows;
import dev.superstep.checkpoint.slice.SliceRows.Held;
import dev.superstep.checkpoint.slice.TakenSlice;
import dev.superstep.schedule.Replica;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Finds, with one query per round, slices executed here that are not wanted any more, because the
/// run was cancelled, ended or taken over; and slices owned here that are not being executed.
@Component
class SlicePoll implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(SlicePoll.class);
  private static final int IDLE_ROUNDS = 10;

  private final SliceRows rows;
  private final SliceWorkers workers;
  private final Replica replica;
  private final WideSettings settings;
  private Set<Held> suspects = Set.of();
  private int idle;
  private volatile boolean running;

  SlicePoll(SliceRows rows, SliceWorkers workers, Replica replica, WideSettings settings) {
    this.rows = rows;
    this.workers = workers;
    this.replica = replica;
    this.settings = settings;
  }

  @Override
  public void start() {
    running = true;
    Thread.ofVirtual().name("slice-poll").start(this::loop);
  }

  private void loop() {
    while (running) {
      try {
        Thread.sleep(settings.poll());
        if (!workers.active().isEmpty() || !suspects.isEmpty() || ++idle >= IDLE_ROUNDS) {
          idle = 0;
          replica.id().ifPresent(this::poll);
        }
      } catch (RuntimeException e) {
        log.warn("Slices could not be polled; retrying", e);
        log.debug("The failure was", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// Runs one round.
  void poll(String id) {
    var before = workers.active();
    var wanted = Set.copyOf(rows.wanted(id));
    before.stream()
        .filter(it -> it.slice().owner().equals(id) && !wanted.contains(held(it.slice())))
        .forEach(SliceWorkers.Active::stop);
    var idle = new HashSet<>(wanted);
    workers.active().forEach(it -> idle.remove(held(it.slice())));
    before.forEach(it -> idle.remove(held(it.slice())));
    // One that was just taken is not among the active ones yet; twice in a row is no coincidence.
    idle.stream().filter(suspects::contains).forEach(it -> rows.giveBack(it, id));
    suspects = idle.stream().filter(it -> !suspects.contains(it)).collect(Collectors.toSet());
  }

  private static Held held(TakenSlice slice) {
    return new Held(slice.of(), slice.number(), slice.claim());
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
