package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.StoredRun.StoredMessage;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.graph.NodeId;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// E49 while replicas crash, freeze and take over at every store call: each message is in one
/// superstep, in order, and none is left when its run has succeeded. A failure names its seed.
class InboxSimulationTests {
  private static final int SEEDS = Integer.getInteger("superstep.simulation.seeds", 300);
  private static final int MESSAGES = 8;

  /// I14 is checked behind every commit.
  @Test
  void takesEachMessageOnceWhateverDies() {
    var injected = new TreeMap<String, Integer>();
    int succeeded = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      var world = SimulatedWorld.talking(seed, MESSAGES, policy(new Random(seed)));
      if (live(seed, world) == RunStatus.SUCCEEDED) {
        succeeded++;
        assertThat(world.store().messages("run"))
            .as("seed %d", seed)
            .noneMatch(it -> it.taken().isEmpty());
      }
      world.injected().forEach((fault, count) -> injected.merge(fault, count, Integer::sum));
    }
    System.out.printf("messages: seeds 1 to %d, %d succeeded, %s%n", SEEDS, succeeded, injected);
    assertThat(injected)
        .containsKeys("message", "crash", "takeover", "zombie rejected", "lost acknowledgement");
    assertThat(succeeded).isGreaterThan(SEEDS / 4);
  }

  private static RunStatus live(long seed, SimulatedWorld world) {
    try {
      return world.live().status();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  private static InboxPolicy policy(Random random) {
    boolean hasNode = random.nextInt(3) > 0;
    return new InboxPolicy(
        Optional.of("said"),
        hasNode ? Optional.of(new NodeId("n0")) : Optional.empty(),
        hasNode && random.nextBoolean()
            ? InboxPolicy.At.END_OF_TURN
            : InboxPolicy.At.NEXT_SUPERSTEP,
        random.nextBoolean() ? InboxPolicy.AtOnce.ALL : InboxPolicy.AtOnce.ONE,
        hasNode && random.nextBoolean() ? InboxPolicy.IfAtRest.RESUME : InboxPolicy.IfAtRest.WAIT);
  }

  private static StoredMessage message(String id, Integer... taken) {
    var message =
        new InboxMessage(
            1,
            id,
            "said",
            Value.of(id),
            InboxMessage.IfUntaken.FOLD,
            Instant.parse("2030-01-01T00:00:00Z"));
    return new StoredMessage(message, List.of(taken));
  }

  private static GraphState saying(String... texts) {
    return GraphState.of(ObjectValue.of("said", ListValue.texts(texts)));
  }

  /// Negative controls of I14.
  @Test
  void seesMessagesThatAreTakenTwiceLostOrOutOfOrder() {
    SimulationInvariants.checkMessages(List.of(message("a", 1), message("b", 1)), saying("a", "b"));

    assertNoticed(List.of(message("a", 1, 2)), saying("a"));
    assertNoticed(List.of(message("a"), message("b", 1)), saying("b"));
    assertNoticed(List.of(message("a", 2), message("b", 1)), saying("a", "b"));
    assertNoticed(List.of(message("a", 1)), saying());
    assertNoticed(List.of(message("a", 1)), saying("a", "a"));
  }

  private static void assertNoticed(List<StoredMessage> messages, GraphState state) {
    assertThatThrownBy(() -> SimulationInvariants.checkMessages(messages, state))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("I14");
  }
}
