package dev.superstep.wide;

import dev.superstep.checkpoint.row.WideSupersteps;
import dev.superstep.engine.node.Slicing.SlicedTask;
import dev.superstep.engine.node.Slicing.Wide;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Plans how a wide superstep is cut: some slices for each lane of each replica, so that a faster
/// replica takes more of them.
final class SlicePlanner {
  private static final int SLICES_PER_LANE = 2;

  private final WideSettings settings;
  private final int concurrencyMax;

  /// @param concurrencyMax tasks of one run that a replica executes at a time
  SlicePlanner(WideSettings settings, int concurrencyMax) {
    this.settings = settings;
    this.concurrencyMax = concurrencyMax;
  }

  /// @param replicas that are alive
  /// @return empty if it is not worth it, or its bound is smaller than one slice per replica (E12)
  Optional<WideSupersteps.Cut> cut(Wide wide, int replicas) {
    int bound = wide.bound().orElse(Integer.MAX_VALUE);
    if (replicas < settings.replicasMin() || bound < replicas) {
      return Optional.empty();
    }
    var slices = slices(wide.tasks(), replicas * settings.parallel());
    if (wide.bound().isEmpty()) {
      int quota = Math.max(1, concurrencyMax / settings.parallel());
      return Optional.of(new WideSupersteps.Cut(wide.checkpoint(), slices.size(), quota, slices));
    }
    int lanes = Math.min(bound, replicas * settings.parallel());
    int quota = Math.min(bound / lanes, Math.max(1, concurrencyMax / settings.parallel()));
    return Optional.of(new WideSupersteps.Cut(wide.checkpoint(), lanes, quota, slices));
  }

  private List<List<Integer>> slices(List<SlicedTask> tasks, int lanes) {
    int even = tasks.size() / (lanes * SLICES_PER_LANE);
    int size = Math.clamp(even, settings.slice().min(), settings.slice().max());
    var slices = new ArrayList<List<Integer>>();
    for (int from = 0; from < tasks.size(); from += size) {
      slices.add(
          tasks.subList(from, Math.min(tasks.size(), from + size)).stream()
              .map(SlicedTask::index)
              .toList());
    }
    return slices;
  }
}
