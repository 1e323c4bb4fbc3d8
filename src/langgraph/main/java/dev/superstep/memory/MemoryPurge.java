package dev.superstep.memory;

import org.springframework.stereotype.Component;

/// Deletes items that have expired, which are not found any more.
@Component
class MemoryPurge {
  private static final int BATCH = 1_000;
  private static final int BATCHES_MAX = 100;

  private final ItemRows rows;

  MemoryPurge(ItemRows rows) {
    this.rows = rows;
  }

  /// Deletes some batches, each in a transaction of its own.
  void purge() {
    for (int batch = 0; batch < BATCHES_MAX; batch++) {
      if (rows.deleteExpired(BATCH) < BATCH) {
        return;
      }
    }
  }
}
