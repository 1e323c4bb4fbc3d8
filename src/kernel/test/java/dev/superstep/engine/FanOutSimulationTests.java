package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.failed;
import static dev.superstep.engine.TestNodes.item;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Node;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// E54 while replicas crash, freeze and take over at every store call: what a policy has decided is
/// committed once. A failure names its seed.
class FanOutSimulationTests {
  private static final int SEEDS = Integer.getInteger("superstep.simulation.seeds", 100);

  /// Dispatches of a policy, and which of them fail.
  private record SentItems(int items, int least, int tolerated, int most, Set<Integer> failing) {
    static SentItems of(Random random) {
      int items = 1 + random.nextInt(8);
      int least = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(items);
      int tolerated = random.nextInt(items + 1);
      var failing = new HashSet<Integer>();
      IntStream.range(0, items).filter(_ -> random.nextInt(3) == 0).forEach(failing::add);
      return new SentItems(items, least, tolerated, random.nextInt(4), failing);
    }

    SentItems oneByOne() {
      return new SentItems(items, least, tolerated, 1, failing);
    }

    int failuresMax() {
      return Math.min(tolerated, items - least);
    }

    Node.Routing policy() {
      return FanOutTests.under(least, BigDecimal.valueOf(tolerated).toString(), most);
    }

    Outcome work(NodeCall call) {
      return failing.contains((int) item(call))
          ? failed("odd")
          : set("won", ListValue.of(Value.of(item(call))));
    }

    /// What an undisturbed run does with one dispatch after another.
    List<ListValue> inOrder() {
      var succeeded = new ArrayList<Value>();
      var failed = new ArrayList<Value>();
      var cancelled = new ArrayList<Value>();
      for (int i = 0; i < items; i++) {
        if ((least > 0 && succeeded.size() >= least) || failed.size() > failuresMax()) {
          cancelled.add(Value.of(i));
        } else {
          (failing.contains(i) ? failed : succeeded).add(Value.of(i));
        }
      }
      return List.of(ListValue.of(succeeded), ListValue.of(failed), ListValue.of(cancelled));
    }
  }

  private record DeclaredNode(NodeRunner runner, boolean pure) implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) throws Exception {
      return runner.run(call);
    }
  }

  private static Program program(SentItems sent, boolean pure) {
    return new TestGraph()
        .channel("won", new Reducer.Append())
        .node(
            "plan",
            it -> it,
            sent.policy(),
            new DeclaredNode(_ -> TestNodes.sendItems("work", sent.items()), pure))
        .node("work", TestGraph.Policies::optional, new DeclaredNode(sent::work, pure))
        .node("join", new DeclaredNode(FanOutTests::outcomes, pure))
        .edge("__start__", "plan")
        .join(Edge.Join.Mode.ALL, List.of("work"), "join")
        .program();
  }

  private static List<ListValue> ended(SimulatedWorld world) {
    var state = world.store().checkpoints("run").getLast().after().state();
    return List.of("succeeded", "failed", "cancelled").stream()
        .map(it -> ListValue.orEmpty(state.get(it)))
        .toList();
  }

  @Test
  void givesTheResultOfAnUndisturbedRunWhereTheOrderIsGiven() {
    var injected = new TreeMap<String, Integer>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      var random = new Random(seed);
      var sent = SentItems.of(random).oneByOne();
      var world = new SimulatedWorld(seed, Integer.MAX_VALUE, program(sent, random.nextBoolean()));

      assertThat(world.live().status()).as("seed %d", seed).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(ended(world)).as("seed %d, %s", seed, sent).isEqualTo(sent.inOrder());
      world.injected().forEach((fault, count) -> injected.merge(fault, count, Integer::sum));
    }
    System.out.printf("fan-outs one by one: %d seeds, %s%n", SEEDS, injected);
    assertThat(injected).containsKeys("crash", "takeover", "zombie rejected");
  }

  @Test
  void givesOneOfTheAllowedResultsWhereDispatchesRace() {
    var injected = new TreeMap<String, Integer>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      var random = new Random(seed);
      var sent = SentItems.of(random);
      int threshold = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(4);
      var world = new SimulatedWorld(seed, threshold, program(sent, random.nextInt(4) == 0));

      assertThat(world.live().status()).as("seed %d", seed).isEqualTo(RunStatus.SUCCEEDED);
      isAllowed(sent, world, seed);
      world.injected().forEach((fault, count) -> injected.merge(fault, count, Integer::sum));
    }
    System.out.printf("fan-outs that race: %d seeds, %s%n", SEEDS, injected);
    assertThat(injected).containsKeys("crash", "takeover", "wide superstep", "slice lost");
  }

  private static void isAllowed(SentItems sent, SimulatedWorld world, long seed) {
    var lists = ended(world);
    var succeeded = lists.get(0);
    int failures = lists.get(1).size();
    int cancelled = lists.get(2).size();
    var what = "seed %d, %s: %s".formatted(seed, sent, lists);

    assertThat(succeeded.size() + failures + cancelled).as(what).isEqualTo(sent.items());
    assertThat(
            ListValue.orEmpty(
                world.store().checkpoints("run").getLast().after().state().get("won")))
        .as(what)
        .isEqualTo(succeeded);
    assertThat(succeeded.asList())
        .as(what)
        .noneMatch(it -> it instanceof Value.Int(var item) && sent.failing().contains((int) item));
    boolean reached = sent.least() > 0 && succeeded.size() == sent.least();
    boolean exceeded = failures > sent.failuresMax();
    assertThat(reached || exceeded || cancelled == 0).as(what).isTrue();
    assertThat(sent.least() == 0 || succeeded.size() <= sent.least()).as(what).isTrue();
  }
}
