package dev.superstep.wide;

import dev.superstep.checkpoint.row.SliceRows;
import dev.superstep.checkpoint.row.SliceRows.Held;
import dev.superstep.checkpoint.row.TakenSlice;
import dev.superstep.schedule.ReplicaPoll;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/// Finds, with one query per round, slices executed here that are not wanted any more, because the
/// run was cancelled, ended or taken over; and slices owned here that are not being executed.
@Component
class SlicePoll implements ReplicaPoll {
  private static final int IDLE_ROUNDS = 10;

  private final SliceRows rows;
  private final SliceWorkers workers;
  private final WideSettings settings;
  private Set<Held> suspects = Set.of();
  private int idle;

  SlicePoll(SliceRows rows, SliceWorkers workers, WideSettings settings) {
    this.rows = rows;
    this.workers = workers;
    this.settings = settings;
  }

  @Override
  public Duration pause() {
    return settings.poll();
  }

  @Override
  public void poll(String id) {
    if (!workers.active().isEmpty() || !suspects.isEmpty() || ++idle >= IDLE_ROUNDS) {
      idle = 0;
      stopUnwanted(id);
    }
  }

  private void stopUnwanted(String id) {
    var before = workers.active();
    var wanted = Set.copyOf(rows.wanted(id));
    before.stream()
        .filter(it -> it.slice().owner().equals(id) && !wanted.contains(held(it.slice())))
        .forEach(SliceWorkers.Active::stop);
    var stray = new HashSet<>(wanted);
    workers.active().forEach(it -> stray.remove(held(it.slice())));
    before.forEach(it -> stray.remove(held(it.slice())));
    // One that was just taken is not among the active ones yet; twice in a row is no coincidence.
    stray.stream().filter(suspects::contains).forEach(it -> rows.giveBack(it, id));
    suspects = stray.stream().filter(it -> !suspects.contains(it)).collect(Collectors.toSet());
  }

  private static Held held(TakenSlice slice) {
    return new Held(slice.of(), slice.number(), slice.claim());
  }
}
