package dev.superstep.run;

import dev.superstep.checkpoint.CommitListener;
import dev.superstep.engine.CheckpointStore.Result;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Lease;
import dev.superstep.engine.RunStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/// Notifies whatever waits for a run or watches over it after each write of its driver.
///
/// It counts the writes that the fence has refused as `superstep.commits.rejected`: those of
/// drivers whose run was taken over while they were asleep or cut off.
@Component
class CommitSignals implements CommitListener {
  private final Signals signals;
  private final Drivers drivers;
  private final Backoff backoff;
  private final Suspects suspects;
  private final Counter rejected;

  CommitSignals(
      Signals signals, Drivers drivers, Backoff backoff, Suspects suspects, MeterRegistry meters) {
    this.signals = signals;
    this.drivers = drivers;
    this.backoff = backoff;
    this.suspects = suspects;
    rejected =
        Counter.builder("superstep.commits.rejected")
            .description("Writes of drivers whose run another replica had taken over")
            .register(meters);
  }

  /// A suspect would leave its place with what was only promised, and still be a suspect when its
  /// process dies.
  @Override
  public boolean requiresSync(Lease lease) {
    return suspects.drives(lease);
  }

  @Override
  public void committed(Lease lease, Commit commit, Result result) {
    if (result instanceof Result.Committed(var at)) {
      drivers.committed(lease.run(), commit, at);
      backoff.end(lease.run());
      suspects.leave(lease);
    }
    if (commit.head().status() == RunStatus.RUNNING) {
      signals.signal(lease.run());
    } else {
      signals.rested(lease.run());
    }
  }

  @Override
  public void recorded(Lease lease) {
    suspects.leave(lease);
    signals.signal(lease.run());
  }

  @Override
  public void fenced(Lease lease) {
    rejected.increment();
  }
}
