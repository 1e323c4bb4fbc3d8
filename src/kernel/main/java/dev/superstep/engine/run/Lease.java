package dev.superstep.engine.run;

/// The right to write a run, until a replica claims it with a higher epoch.
///
/// @param epoch has the era of the database in its upper bits
public record Lease(String run, long epoch) {
  private static final int ERA_BITS = 32;

  /// The history of the database in which it was claimed, from 1.
  public int era() {
    return era(epoch);
  }

  public static int era(long epoch) {
    return (int) (epoch >>> ERA_BITS) + 1;
  }
}
