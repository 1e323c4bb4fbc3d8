package dev.superstep.checkpoint.row;

/// Decides when a checkpoint gets a snapshot (E45). Reading folds the deltas behind the last
/// snapshot, so they must not outweigh it by much; writing pays for each snapshot, so there must be
/// few. With this rule all snapshots of a state that only grows add up to at most 4/3 of it,
/// because each is four times the one before, and a reader folds at most three times the state, or
/// 256 KiB.
///
/// @param base number of the checkpoint that has the last snapshot
/// @param snapshotBytes size of that snapshot
/// @param deltaBytes of the contents behind it
record ReplayCost(int base, long snapshotBytes, long deltaBytes) {
  private static final int FACTOR = 3;
  private static final long LEAST_BYTES = 256 << 10;

  ReplayCost plus(long contentBytes) {
    return new ReplayCost(base, snapshotBytes, deltaBytes + contentBytes);
  }

  boolean needsSnapshot() {
    return deltaBytes > Math.max(FACTOR * snapshotBytes, LEAST_BYTES);
  }

  static ReplayCost ofSnapshot(int number, long bytes) {
    return new ReplayCost(number, bytes, 0);
  }
}
