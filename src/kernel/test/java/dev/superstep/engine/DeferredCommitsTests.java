package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.run.Deferral;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Rule 17, I13: a driver waits for its commits only before something that others could notice.
class DeferredCommitsTests {
  private final List<Integer> writes = new ArrayList<>();
  private final List<Integer> onDiskAtCall = new ArrayList<>();
  private TestRuns runs = new TestRuns();

  /// Notes how many commits go to disk together.
  private final class WatchedStore implements CheckpointStore {
    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      var result = runs.store.commit(lease, commits);
      writes.add(commits.size());
      return result;
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
      runs.store.record(lease, records, events);
    }

    @Override
    public RunSignals signals(Lease lease) {
      return runs.store.signals(lease);
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      return runs.store.expire(lease, interrupts);
    }
  }

  private record Pure(NodeRunner runner) implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) throws Exception {
      return runner.run(call);
    }

    @Override
    public boolean pure() {
      return true;
    }
  }

  /// As a user declares one.
  private record PureFunction(NodeRunner runner) implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) throws Exception {
      return runner.run(call);
    }

    @Override
    public boolean pure() {
      return true;
    }

    @Override
    public boolean brief() {
      return false;
    }
  }

  static NodeRunner pure(String id) {
    return new Pure(_ -> set(id, 1));
  }

  /// Notes which superstep is on disk when it is called.
  private NodeRunner effect(String id) {
    return _ -> {
      onDiskAtCall.add(runs.store.image("run-0").checkpoint().superstep());
      return set(id, 1);
    };
  }

  /// Nodes one behind the other; those whose id begins with an `e` call out.
  private TestGraph chain(String... ids) {
    var graph = new TestGraph();
    var before = "__start__";
    for (var id : ids) {
      graph.node(id, id.startsWith("e") ? effect(id) : pure(id)).edge(before, id);
      before = id;
    }
    return graph;
  }

  private TestGraph pures(int count) {
    return chain(IntStream.range(0, count).mapToObj(it -> "p" + it).toArray(String[]::new));
  }

  private TestRuns.TestRun run(TestGraph graph) {
    return runs.start(graph.program(), ObjectValue.empty());
  }

  private static EngineLimits deferring(Deferral deferral) {
    var usual = EngineLimits.DEFAULT;
    return new EngineLimits(
        usual.superstepsDefault(),
        usual.concurrencyMax(),
        usual.superstepDispatchesMax(),
        usual.runDispatchesMax(),
        usual.stateBytesMax(),
        usual.resultBytesMax(),
        usual.timeoutDefault(),
        deferral);
  }

  @Test
  void writesARunOfPureNodesAtOnce() {
    runs = new TestRuns(deferring(new Deferral(Duration.ofHours(1), 64, 1 << 20)));
    var run = run(pures(10));

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(10);
    assertThat(runs.store.checkpoints("run-0"))
        .extracting(it -> it.after().number())
        .containsExactlyElementsOf(IntStream.rangeClosed(0, 10).boxed().toList());
  }

  @Test
  void writesBeforeANodeThatCallsOutAndTakesPureOnesAlongBehindIt() {
    var run = run(chain("p0", "p1", "e0", "p2", "p3", "e1", "p4"));

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(onDiskAtCall).containsExactly(2, 5);
    assertThat(writes).containsExactly(2, 3, 2);
  }

  @Test
  void waitsForEachCommitIfItMayNotGoOn() {
    runs = new TestRuns(deferring(Deferral.NONE));
    var run = run(pures(4));

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(1, 1, 1, 1);
  }

  @Test
  void goesOnForSoManySupersteps() {
    runs = new TestRuns(deferring(new Deferral(Duration.ofHours(1), 4, 1 << 20)));
    var run = run(pures(10));

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(4, 4, 2);
  }

  @Test
  void goesOnForSoManyBytes() {
    runs = new TestRuns(deferring(new Deferral(Duration.ofHours(1), 64, 1_000)));
    var graph = new TestGraph();
    var before = "__start__";
    for (int i = 0; i < 4; i++) {
      var id = "p" + i;
      var large = Value.of("x".repeat(600));
      graph.node(id, new Pure(_ -> set(id, large))).edge(before, id);
      before = id;
    }

    assertThat(run(graph).drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(2, 2);
  }

  @Test
  void goesOnForSoLong() {
    runs = new TestRuns(deferring(new Deferral(Duration.ofSeconds(25), 64, 1 << 20)));
    var graph = new TestGraph();
    var before = "__start__";
    for (int i = 0; i < 5; i++) {
      var id = "p" + i;
      graph
          .node(
              id,
              new Pure(_ -> {
                runs.pass(Duration.ofSeconds(10));
                return set(id, 1);
              }))
          .edge(before, id);
      before = id;
    }

    assertThat(run(graph).drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(4, 1);
  }

  /// Observers see no live event of a superstep whose predecessor a crash could undo.
  @Test
  void waitsForEachCommitOfARunThatIsObserved() {
    var run = run(pures(3));
    var seen = new ArrayList<Integer>();
    run.observer =
        (id, _, task, _) ->
            seen.add(runs.store.image(id).checkpoint().superstep() - task.superstep());

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(1, 1, 1);
    assertThat(seen).isNotEmpty().allMatch(it -> it == -1);
  }

  @Test
  void writesBeforeAQuestion() {
    var graph =
        chain("p0", "p1").node("ask", new Pure(_ -> TestNodes.ask("sure?"))).edge("p1", "ask");
    var run = run(graph);

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.INTERRUPTED);

    assertThat(writes.getFirst()).isEqualTo(2);
    assertThat(run.openInterrupts()).hasSize(1);
    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.INTERRUPTED);
  }

  /// E36: what nobody has seen has not happened when the cancel comes first.
  @Test
  void goesBackIfTheRunIsToBeCancelled() {
    var graph =
        chain("p0", "e0", "p1")
            .node(
                "p2",
                new Pure(_ -> {
                  runs.store.cancel("run-0");
                  return set("p2", 1);
                }))
            .edge("p1", "p2")
            .node("e1", effect("e1"))
            .edge("p2", "e1");
    var run = run(graph);

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.CANCELLED);

    assertThat(onDiskAtCall).containsExactly(1);
    assertThat(run.last().superstep()).isEqualTo(1);
    assertThat(run.head().superstep()).isEqualTo(1);
  }

  /// E38: a run that is to pause does so behind them, and makes none of their calls again.
  @Test
  void writesThemIfTheRunIsToPause() {
    var graph =
        chain("p0", "e0", "p1")
            .node(
                "p2",
                new Pure(_ -> {
                  runs.store.pause("run-0", 0);
                  return set("p2", 1);
                }))
            .edge("p1", "p2")
            .node("e1", effect("e1"))
            .edge("p2", "e1");
    var run = run(graph);

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.INTERRUPTED);

    assertThat(run.head().breakpoint().orElseThrow().nodes()).containsExactly("e1");
    assertThat(run.last().superstep()).isEqualTo(4);
    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(onDiskAtCall).containsExactly(1, 4);
  }

  /// What a call has cost is on disk at once, whatever comes behind it.
  @Test
  void waitsForTheCommitOfWhatWasSpent() {
    var graph =
        new TestGraph()
            .node(
                "e0",
                call -> {
                  call.meter().begin();
                  call.meter().add(10, 20);
                  return set("e0", 1);
                })
            .node("p0", pure("p0"))
            .node("p1", pure("p1"))
            .edge("__start__", "e0")
            .edge("e0", "p0")
            .edge("p0", "p1");

    assertThat(run(graph).drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(1, 2);
  }

  /// An answer that is lost with its driver is announced: its call is made again.
  @Test
  void saysWhichAnswersAreLostWithItsDriver() {
    var lost = new ArrayList<TaskKey>();
    var run =
        run(
            chain("e0")
                .node(
                    "p0",
                    new Pure(_ -> {
                      runs.store.claim("run-0");
                      return set("p0", 1);
                    }))
                .edge("e0", "p0"));
    run.observer =
        new RunObserver() {
          @Override
          public boolean watches(String id) {
            return false;
          }

          @Override
          public void observe(String id, String type, TaskKey task, ObjectValue data) {}

          @Override
          public void lost(String id, TaskKey task) {
            lost.add(task);
          }

          @Override
          public void ended(String id, List<Task> tasks) {}
        };

    assertThatThrownBy(() -> run.drive(new WatchedStore())).isInstanceOf(LeaseLostException.class);

    assertThat(lost).extracting(it -> it.node().value()).containsExactly("e0");
  }

  /// A cancel is noticed by the write that is due, whatever the tasks in progress do.
  @Test
  @Timeout(20)
  void stopsTasksInProgressIfTheRunIsToBeCancelled() {
    var never = new CountDownLatch(1);
    var graph =
        new TestGraph()
            .node(
                "p0",
                new Pure(_ -> {
                  runs.store.cancel("run-0");
                  return set("p0", 1);
                }))
            .node("p1", pure("p1"))
            .node(
                "p2",
                new Pure(_ -> {
                  never.await();
                  return set("p2", 1);
                }))
            .edge("__start__", "p0")
            .edge("p0", "p1", "p2");
    var run = run(graph);

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.CANCELLED);

    assertThat(run.head().superstep()).isZero();
  }

  /// What a user's function computes has no bound: what came before is written meanwhile.
  @Test
  @Timeout(20)
  void writesWhileAFunctionComputes() {
    var graph =
        chain("e0")
            .node(
                "long",
                new PureFunction(_ -> {
                  await().until(() -> runs.store.image("run-0").checkpoint().superstep() == 1);
                  return set("long", 1);
                }))
            .edge("e0", "long");

    assertThat(run(graph).drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(1, 1);
  }

  /// An observer who comes in the middle sees nothing that a crash could undo.
  @Test
  void hidesLiveEventsOfWhatStandsOnNothing() {
    var watched = new AtomicBoolean();
    var seen = new ArrayList<Integer>();
    var graph =
        chain("p0")
            .node(
                "p1",
                new Pure(_ -> {
                  watched.set(true);
                  return set("p1", 1);
                }))
            .edge("p0", "p1");
    var run = run(graph);
    run.observer =
        new RunObserver() {
          @Override
          public boolean watches(String id) {
            return watched.get();
          }

          @Override
          public void observe(String id, String type, TaskKey task, ObjectValue data) {
            seen.add(runs.store.image(id).checkpoint().superstep() - task.superstep());
          }
        };

    assertThat(run.drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(seen).allMatch(it -> it >= -1);
  }

  /// A channel with a merge of its own is stored whole at each superstep; here from the second on.
  @Test
  void countsTheValuesOfUsersMerges() {
    runs = new TestRuns(deferring(new Deferral(Duration.ofHours(1), 64, 1_000)));
    var large = Value.of("x".repeat(600));
    var graph = new TestGraph().channel("whole", new Reducer.Custom("keep", (_, _) -> large));
    var before = "__start__";
    for (int i = 0; i < 4; i++) {
      var id = "p" + i;
      graph.node(id, new Pure(_ -> set("whole", 1))).edge(before, id);
      before = id;
    }

    assertThat(run(graph).drive(new WatchedStore())).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(writes).containsExactly(3, 1);
  }

  /// The estimate of the database's clock may be corrected.
  @Test
  void givesNoCheckpointATimeBeforeTheLast() {
    var graph =
        chain("p0", "p1")
            .node(
                "p2",
                new Pure(_ -> {
                  runs.pass(Duration.ofSeconds(-10));
                  return set("p2", 1);
                }))
            .edge("p1", "p2")
            .node("p3", pure("p3"))
            .edge("p2", "p3");

    run(graph).drive(new WatchedStore());

    assertThat(runs.store.checkpoints("run-0"))
        .extracting(it -> it.after().stamp().at())
        .hasSize(5)
        .isSorted();
  }
}
