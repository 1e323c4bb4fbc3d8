package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.sendItems;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.Change;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Answers that arrive about the time at which their questions expire (E37): whatever was accepted
/// is what the run goes on with, and nothing else.
class ExpiryRaceTests {
  private static final int SEEDS = Integer.getInteger("superstep.simulation.seeds", 150);
  private static final Value DEFAULT = Value.of(-1);

  /// Crashes, takeovers, lost acknowledgements and slices included.
  @Test
  void goesOnWithTheAnswerThatWasAccepted() {
    var ends = new TreeMap<String, Integer>();
    var only = Long.getLong("superstep.simulation.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? SEEDS : only;
    for (long seed = first; seed <= last; seed++) {
      var random = new Random(seed);
      int threshold = random.nextInt(3) == 0 ? 2 : Integer.MAX_VALUE;
      var world = new SimulatedWorld(seed, threshold, program(random));
      try {
        world.live();
        check(world);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      world.injected().forEach((fault, count) -> ends.merge(fault, count, Integer::sum));
      world.store().interrupts("run").values().stream()
          .map(StoredRun.StoredInterrupt::status)
          .forEach(it -> ends.merge(it, 1, Integer::sum));
    }
    System.out.printf("answers at the last moment: seeds %d to %d, %s%n", first, last, ends);
    if (only == null) {
      assertThat(ends).containsKeys("answered", "expired", "crash", "takeover", "answer meanwhile");
    }
  }

  /// Several tasks ask at once, for a time of which some is waited for in memory, while others
  /// work.
  private static Program program(Random random) {
    var time = random.nextBoolean() ? Duration.ofMillis(200) : Duration.ofHours(1);
    int width = 1 + random.nextInt(3);
    return new TestGraph()
        .channel("answers", new Reducer.Append())
        .node("plan", _ -> sendItems("ask", width))
        .node("ask", call -> call.resume().map(it -> note(it)).orElseGet(() -> ask(call, time)))
        .node(
            "slow",
            call ->
                call.woken()
                    ? set("slept", 1)
                    : new Outcome.Waiting(call.clock().plus(Duration.ofMillis(150))))
        .edge("__start__", "plan")
        .edge("plan", "slow")
        .program();
  }

  private static Outcome ask(NodeCall call, Duration time) {
    return new Outcome.Interrupted(
        new InterruptRequest(
            call.task().key() + " asks 7",
            Value.NULL,
            Change.NONE,
            Optional.empty(),
            Optional.of(new InterruptRequest.Expiry(time, Optional.of(DEFAULT)))));
  }

  private static Outcome note(Resume answered) {
    return set("answers", ObjectValue.of(answered.interruptId(), answered.answer()));
  }

  private static void check(SimulatedWorld world) {
    var expected = new ArrayList<Value>();
    world
        .store()
        .interrupts("run")
        .forEach((id, it) -> expected.add(ObjectValue.of(id, it.answer().orElse(DEFAULT))));
    var log = world.store().checkpoints("run").getLast().after().state().get("answers");
    assertThat(world.store().head("run").status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(log)
        .isInstanceOfSatisfying(
            ListValue.class,
            it -> assertThat(it.stream().toList()).containsExactlyInAnyOrderElementsOf(expected));
    assertThat(world.store().interrupts("run").values())
        .allMatch(it -> it.status().equals("answered") || it.status().equals("expired"));
    assertThat(world.store().events("run"))
        .as("each question has its event")
        .filteredOn(it -> it.event().type().equals("task.interrupted"))
        .hasSizeGreaterThanOrEqualTo(expected.size());
  }
}
