package dev.superstep.run;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/// Locks runs that belong together: their thread first, then parents before their children, so that
/// two transactions never wait for each other.
@Component
class Family {
  private final ChildLinks links;
  private final Lookups lookups;
  private final ThreadRows threads;

  Family(ChildLinks links, Lookups lookups, ThreadRows threads) {
    this.links = links;
    this.lookups = lookups;
    this.threads = threads;
  }

  /// The run with all of its ancestors, the outermost first, the run itself last.
  List<RunEntity> line(String run) {
    var line = new ArrayList<RunEntity>();
    var ancestors = links.ancestors(run);
    threads.lockOf(ancestors.isEmpty() ? run : ancestors.getFirst());
    ancestors.forEach(it -> line.add(lookups.lock(it)));
    line.add(lookups.lock(run));
    return line;
  }

  /// All descendants, parents first. The caller has locked the run.
  List<RunEntity> below(String run) {
    return links.descendants(run).stream().map(lookups::lock).toList();
  }

  ChildLinks links() {
    return links;
  }
}
