package dev.superstep.run.store;

import dev.superstep.checkpoint.row.RunEntity;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/// Locks related runs in one order, the thread first, then parents before their children, so that
/// two transactions never deadlock.
@Component
public class RunTreeLocks {
  private final ChildLinks links;
  private final RunFinder runFinder;
  private final ThreadRows threads;

  RunTreeLocks(ChildLinks links, RunFinder runFinder, ThreadRows threads) {
    this.links = links;
    this.runFinder = runFinder;
    this.threads = threads;
  }

  /// Locks the run and all of its ancestors, the outermost first, the run itself last.
  public List<RunEntity> ancestors(String run) {
    var line = new ArrayList<RunEntity>();
    var ancestors = links.ancestors(run);
    threads.lockOf(ancestors.isEmpty() ? run : ancestors.getFirst());
    ancestors.forEach(it -> line.add(runFinder.lock(it)));
    line.add(runFinder.lock(run));
    return line;
  }

  /// Locks all descendants, parents first. The caller has locked the run.
  public List<RunEntity> descendants(String run) {
    return links.descendants(run).stream().map(runFinder::lock).toList();
  }

  /// Likewise, those of the superstep that it is in: no others move.
  public List<RunEntity> open(RunEntity run) {
    return links.descendants(run.id(), run.superstep() + 1).stream().map(runFinder::lock).toList();
  }

  public ChildLinks links() {
    return links;
  }
}
