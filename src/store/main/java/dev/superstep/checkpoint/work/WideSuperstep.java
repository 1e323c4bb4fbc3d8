package dev.superstep.checkpoint.work;

import dev.superstep.engine.run.Lease;

/// Names a superstep that is executed in slices.
///
/// @param lease of the driver that cut it
public record WideSuperstep(Lease lease, int superstep) {
  public String run() {
    return lease.run();
  }

  /// The id of the task that a slice of it is.
  ///
  /// @param number from 0
  public String slice(int number) {
    return "%s/%s/%d/%d/%d".formatted(SliceQueue.TENANT, run(), superstep, lease.epoch(), number);
  }

  @Override
  public String toString() {
    return "superstep %d of run %s".formatted(superstep, lease.run());
  }
}
