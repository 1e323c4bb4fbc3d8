package dev.superstep.wide;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.row.SliceReader;
import dev.superstep.checkpoint.row.WideSupersteps;
import dev.superstep.checkpoint.work.TakenSlice.SliceWork;
import dev.superstep.checkpoint.work.WideSuperstep;
import dev.superstep.database.LoggedFailure;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.Slicing;
import dev.superstep.engine.node.Slicing.Wide;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.schedule.WakeUps;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Cuts wide supersteps for their drivers, and checks on them until all slices are closed.
@Component
final class ReplicaSlicing implements Slicing {
  private static final Logger log = LoggerFactory.getLogger(ReplicaSlicing.class);

  private final WideSupersteps rows;
  private final SliceReader reader;
  private final SliceWorkers workers;
  private final WakeUps wakeUps;
  private final WideSettings settings;
  private final SlicePlanner slicePlanner;

  ReplicaSlicing(
      WideSupersteps rows,
      SliceReader reader,
      SliceWorkers workers,
      WakeUps wakeUps,
      WideSettings settings,
      EngineLimits limits) {
    this.rows = rows;
    this.reader = reader;
    this.workers = workers;
    this.wakeUps = wakeUps;
    this.settings = settings;
    this.slicePlanner = new SlicePlanner(settings, limits.concurrencyMax());
  }

  @Override
  public int threshold() {
    return settings.threshold() == 0 ? Integer.MAX_VALUE : settings.threshold();
  }

  @Override
  public Optional<Slices> cut(Lease lease, Wide wide) {
    var cut = slicePlanner.cut(wide, wakeUps.replicas().size());
    var superstep = new WideSuperstep(lease, wide.superstep());
    if (cut.isEmpty() || !rows.open(superstep, cut)) {
      return Optional.empty();
    }
    workers.help();
    return Optional.of(new OpenSlices(superstep, keys(wide, cut)));
  }

  private static List<List<TaskKey>> keys(Wide wide, List<SliceWork> cut) {
    var parts = wide.tasks().iterator();
    return cut.stream()
        .map(slice -> slice.tasks().stream().map(_ -> parts.next().key()).toList())
        .toList();
  }

  /// An open wide superstep for its driver.
  private final class OpenSlices implements Slices {
    private final WideSuperstep wide;
    private final List<List<TaskKey>> slices;
    private final Set<Integer> read = new HashSet<>();

    OpenSlices(WideSuperstep wide, List<List<TaskKey>> slices) {
      this.wide = wide;
      this.slices = slices;
    }

    @Override
    public Arrivals look() {
      var closed = rows.closed(wide, slices.size());
      if (closed.isEmpty()) {
        // Another cut means that another driver has claimed the run; reading it says so.
        reader.header(wide.lease());
        return new Arrivals(List.of(), 0);
      }
      return new Arrivals(arrived(closed.get()), slices.size() - closed.get().size());
    }

    private List<TaskRecord> arrived(List<Integer> closed) {
      var keys = new ArrayList<TaskKey>();
      for (var number : closed) {
        if (read.add(number)) {
          keys.addAll(slices.get(number));
        }
      }
      return keys.isEmpty() ? List.of() : reader.recorded(wide, keys);
    }

    @Override
    public void withdraw() {
      try {
        rows.withdraw(wide, slices.size());
      } catch (StoreUnavailableException | DataAccessException | TransactionException e) {
        // The fence stops replicas that work on it, and the rows are swept up later.
        log.warn("The slices of {} could not be withdrawn: {}", wide, new LoggedFailure(e));
      }
    }
  }
}
