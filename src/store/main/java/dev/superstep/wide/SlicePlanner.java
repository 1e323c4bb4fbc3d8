package dev.superstep.wide;

import dev.superstep.checkpoint.work.TakenSlice.SliceWork;
import dev.superstep.engine.node.Slicing.SlicedTask;
import dev.superstep.engine.node.Slicing.Wide;
import java.util.ArrayList;
import java.util.List;

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
  /// @return none if it is not worth it, or its bound is smaller than one slice per replica (E12)
  List<SliceWork> cut(Wide wide, int replicas) {
    int bound = wide.bound().orElse(Integer.MAX_VALUE);
    if (replicas < settings.replicasMin() || bound < replicas) {
      return List.of();
    }
    int all = replicas * settings.parallel();
    int lanes = Math.min(bound, all);
    int quota = Math.min(bound / lanes, Math.max(1, concurrencyMax / settings.parallel()));
    int even = wide.tasks().size() / (all * SLICES_PER_LANE);
    int size = Math.clamp(even, settings.slice().min(), settings.slice().max());
    var slices = new ArrayList<SliceWork>();
    for (int from = 0; from < wide.tasks().size(); from += size) {
      var slice = wide.tasks().subList(from, Math.min(wide.tasks().size(), from + size));
      var tasks = slice.stream().map(SlicedTask::index).toList();
      slices.add(new SliceWork(wide.checkpoint(), wide.bound().map(_ -> lanes), quota, tasks));
    }
    return slices;
  }
}
