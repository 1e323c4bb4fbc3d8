package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// E45: a full snapshot whenever the deltas since the last one outweigh it three times, and 256
/// KiB.
class ReplayCostTests {
  private static final long KIB = 1024;

  @Test
  void takesNoSnapshotWhileTheDeltasAreSmall() {
    var replayCost = ReplayCost.ofSnapshot(0, 10).plus(255 * KIB);

    assertThat(replayCost.needsSnapshot()).isFalse();
    assertThat(replayCost.plus(2 * KIB).needsSnapshot()).isTrue();
  }

  @Test
  void waitsUntilTheDeltasOutweighALargeSnapshotThreeTimes() {
    var replayCost = ReplayCost.ofSnapshot(7, 1_000 * KIB).plus(3_000 * KIB);

    assertThat(replayCost.needsSnapshot()).isFalse();
    assertThat(replayCost.plus(1).needsSnapshot()).isTrue();
    assertThat(replayCost.base()).isEqualTo(7);
  }

  /// The bytes of a state that grows by one item per superstep stay linear in the items.
  @Test
  void keepsSnapshotsProportionalToAStateThatGrows() {
    long item = 1200;
    long state = 0;
    long snapshots = 0;
    var replayCost = ReplayCost.ofSnapshot(0, 0);
    for (int i = 1; i <= 100_000; i++) {
      state += item;
      replayCost = replayCost.plus(item);
      if (replayCost.needsSnapshot()) {
        snapshots += state;
        replayCost = ReplayCost.ofSnapshot(i, state);
      }
      assertThat(replayCost.deltaBytes()).isLessThanOrEqualTo(Math.max(256 * KIB, 3 * state));
      assertThat(snapshots).isLessThanOrEqualTo(state * 4 / 3);
    }
  }

  /// A state that is replaced again and again costs no snapshot per superstep either.
  @Test
  void takesASnapshotOnlyEveryFewSuperstepsOfAStateThatIsReplaced() {
    long state = 100 * KIB;
    int snapshots = 0;
    var replayCost = ReplayCost.ofSnapshot(0, state);
    for (int i = 1; i <= 1_000; i++) {
      replayCost = replayCost.plus(state);
      if (replayCost.needsSnapshot()) {
        snapshots++;
        replayCost = ReplayCost.ofSnapshot(i, state);
      }
    }

    assertThat(snapshots).isBetween(200, 260);
  }
}
