package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.InMemoryCheckpointStore.Fence;
import dev.superstep.engine.SimulatedWorld.Faults;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A deterministic simulation: random graphs, replicas that crash, freeze and take over at every
/// store call, answers at any moment, endings delivered twice, acknowledgements lost.
///
/// A failure names its seed; `-Dsuperstep.simulation.seed=<seed>` runs that one alone, and
/// `-Dsuperstep.simulation.seeds=<n>` more of them.
class SimulationTests {
  private static final int SEEDS = Integer.getInteger("superstep.simulation.seeds", 150);
  private static final int MUTANT_SEEDS = 50;

  /// E10, E33–E36, E46, E47, I1–I9, I13, P11, P12: a disturbed run equals an undisturbed one at
  /// every superstep.
  @Test
  void givesTheResultOfAnUndisturbedRunWhateverGoesWrong() {
    var injected = new TreeMap<String, Integer>();
    var statuses = new TreeMap<RunStatus, Integer>();
    var only = Long.getLong("superstep.simulation.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? SEEDS : only;
    for (long seed = first; seed <= last; seed++) {
      var disturbed = new SimulatedWorld(seed, Faults.SEEDED);
      statuses.merge(compare(seed, disturbed), 1, Integer::sum);
      disturbed.injected().forEach((fault, count) -> injected.merge(fault, count, Integer::sum));
    }
    System.out.printf(
        "simulation: seeds %d to %d, %s, injected %s%n", first, last, statuses, injected);
    if (only == null) {
      assertThat(injected)
          .containsKeys(
              "crash",
              "lost acknowledgement",
              "takeover",
              "zombie rejected",
              "duplicate delivery",
              "answer meanwhile");
      assertThat(statuses).containsKeys(RunStatus.SUCCEEDED, RunStatus.FAILED);
    }
  }

  /// E10.3, E11, E12, E46, I1–I9, P11: whatever the width from which supersteps are spread over the
  /// replicas, and whatever goes wrong on them, every superstep ends with the same state hash and
  /// the same activations, in the same order, as when one replica does everything.
  @Test
  void givesTheSameWithSlicesFromAnyWidthOn() {
    var injected = new TreeMap<String, Integer>();
    var only = Long.getLong("superstep.simulation.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? SEEDS / 3 : only;
    for (long seed = first; seed <= last; seed++) {
      int threshold = 1 + new Random(seed).nextInt(4);
      for (var faults : Faults.values()) {
        var sliced = new SimulatedWorld(seed, faults, Fence.KEPT, threshold);
        compare(seed, sliced);
        sliced.injected().forEach((fault, count) -> injected.merge(fault, count, Integer::sum));
      }
    }
    System.out.printf("simulation with slices: seeds %d to %d, %s%n", first, last, injected);
    if (only == null) {
      assertThat(injected)
          .containsKeys(
              "wide superstep",
              "slice lost",
              "slice given up",
              "zombie slice rejected",
              "crash",
              "answer meanwhile");
    }
  }

  /// E38: a run that is paused, stepped through and taken over comes to what an undisturbed one
  /// comes to. [SimulatedPauses] checks that a paused run commits nothing.
  @Test
  void pausesAndGoesOnWhateverGoesWrong() {
    var injected = new TreeMap<String, Integer>();
    var only = Long.getLong("superstep.simulation.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? SEEDS : only;
    for (long seed = first; seed <= last; seed++) {
      for (var faults : Faults.values()) {
        var paused = SimulatedWorld.pausing(seed, faults);
        compare(seed, paused);
        paused.injected().forEach((fault, count) -> injected.merge(fault, count, Integer::sum));
      }
    }
    System.out.printf("simulation with pauses: seeds %d to %d, %s%n", first, last, injected);
    if (only == null) {
      assertThat(injected)
          .containsKeys(
              "pause",
              "pause withdrawn",
              "step",
              "pause behind deferred commits",
              "crash",
              "takeover",
              "zombie rejected");
    }
  }

  private static RunStatus compare(long seed, SimulatedWorld disturbed) {
    try {
      var expected = new SimulatedWorld(seed, Faults.NONE).live();
      assertThat(disturbed.live()).isEqualTo(expected);
      return expected.status();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  /// The mutant: a driver that calls out before its commits are on disk is seen (I13).
  @Test
  void noticesACallBeforeTheCommitsThatItDependsOn() {
    int noticed = 0;
    for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
      var world =
          new SimulatedWorld(
              seed, Faults.NONE, Fence.KEPT, Integer.MAX_VALUE, SimulatedWorld.Effects.DENIED);
      try {
        world.live();
      } catch (AssertionError _) {
        noticed++;
      }
    }
    System.out.printf("simulation of hidden calls: red in %d of %d%n", noticed, MUTANT_SEEDS);
    assertThat(noticed).isPositive();
  }

  /// The same seed gives the same history, faults included.
  @Test
  void repeatsItselfFromItsSeed() {
    var first = new SimulatedWorld(42, Faults.SEEDED);
    var second = new SimulatedWorld(42, Faults.SEEDED);

    assertThat(first.live()).isEqualTo(second.live());
    assertThat(first.injected()).isEqualTo(second.injected());
  }

  /// The mutant: without the fence the simulation is red, within few seeds.
  @Test
  void noticesThatTheFenceIsMissing() {
    int noticed = 0;
    for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
      var world = new SimulatedWorld(seed, Faults.SEEDED, InMemoryCheckpointStore.Fence.REMOVED);
      try {
        compare(seed, world);
      } catch (AssertionError _) {
        noticed++;
      }
    }
    System.out.printf("simulation without fence: red in %d of %d seeds%n", noticed, MUTANT_SEEDS);
    assertThat(noticed).isPositive();
  }

  /// Negative control of I8: a doubled update is seen.
  @Test
  void seesADoubledUpdate() {
    var doubled = GraphState.of(ObjectValue.of("count", Value.of(2)));

    assertThatThrownBy(() -> SimulationInvariants.checkEffects(doubled))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("I8");
  }

  /// Negative controls of I3, I4 and I9: a missing checkpoint is seen.
  @Test
  void seesAMissingCheckpoint() {
    var world = new SimulatedWorld(1, Faults.NONE);
    world.live();
    var checkpoints = world.store().checkpoints("run");
    var gap = java.util.List.of(checkpoints.getFirst(), checkpoints.getLast());

    assertThat(checkpoints.size()).isGreaterThan(2);
    assertThatThrownBy(() -> SimulationInvariants.checkStep(gap.get(0), gap.get(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("I3");
    assertThatThrownBy(() -> SimulationInvariants.checkFold(gap, world.program()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("I9");
    assertThatThrownBy(() ->
            SimulationInvariants.checkHead(
                world.store().head("run"), checkpoints.getFirst().after()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("I4");
  }
}
