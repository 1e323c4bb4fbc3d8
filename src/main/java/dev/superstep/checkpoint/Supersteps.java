package dev.superstep.checkpoint;

import dev.superstep.engine.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Writes plain commits: together with others at first, and alone if that did not work out.
@Component
class Supersteps {
  private final GroupCommit group;
  private final StepStatement alone;

  Supersteps(GroupCommit group, StepStatement alone) {
    this.group = group;
    this.alone = alone;
  }

  /// @return database time of the commit; empty if the fence refused it
  Optional<Instant> write(Lease lease, Step step) {
    return group.write(new Strand(lease, List.of(step))).or(() -> alone.execute(lease, step));
  }

  /// The same in a statement of its own.
  Optional<Instant> writeAlone(Lease lease, Step step) {
    return alone.execute(lease, step);
  }
}
