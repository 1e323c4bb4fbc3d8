package dev.superstep.wide;

import dev.superstep.checkpoint.row.WideSuperstep;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The lanes of this replica that execute slices of one superstep, and the run as it was when the
/// superstep began, loaded once for all of them.
final class SliceWorkerGroup {
  private final WideSuperstep wide;
  private final Set<Thread> lanes = new HashSet<>();
  private final Object loading = new Object();
  private @Nullable SliceContext sliceContext;

  SliceWorkerGroup(WideSuperstep wide) {
    this.wide = wide;
  }

  WideSuperstep wide() {
    return wide;
  }

  /// Guarded by the lock of [SliceWorkers], as are its changes.
  int size() {
    return lanes.size();
  }

  void add(Thread lane) {
    lanes.add(lane);
  }

  void remove(Thread lane) {
    lanes.remove(lane);
  }

  /// @param sliceContextLoader called once
  SliceContext context(SliceContextLoader sliceContextLoader) {
    synchronized (loading) {
      var known = sliceContext;
      if (known == null) {
        known = sliceContextLoader.load(wide);
        sliceContext = known;
      }
      return known;
    }
  }
}
