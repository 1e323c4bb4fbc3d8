package dev.superstep.checkpoint.row;

import dev.superstep.engine.run.Lease;

/// Names a superstep that is executed in slices.
///
/// @param lease of the driver that cut it
public record WideSuperstep(Lease lease, int superstep) {
  public String run() {
    return lease.run();
  }

  @Override
  public String toString() {
    return "superstep %d of run %s".formatted(superstep, lease.run());
  }
}
