package dev.superstep.engine.run;

import static dev.superstep.engine.TestNodes.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.TestGraph;
import dev.superstep.engine.TestPorts;
import dev.superstep.engine.TestRuns;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.TaskPool;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// durability.md, rule 3: a lease that may be over starts no work.
class LeaseWatchTests {
  private final AtomicBoolean confirmed = new AtomicBoolean(true);
  private final TestRuns runs = new TestRuns();
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final List<Runnable> waiting = Collections.synchronizedList(new ArrayList<>());

  private Outcome note(String call) {
    calls.add(call);
    return done();
  }

  private Thread drive(TestGraph graph, TaskPool pool) {
    var run = runs.start(graph.program(), ObjectValue.empty());
    var ports = TestPorts.of(runs.store, pool, runs.clock).leases(() -> confirmed::get).ports();
    var image = runs.store.claim(run.header.id());
    return Thread.ofVirtual()
        .start(() -> {
          try {
            new SuperstepLoop(ports, EngineLimits.DEFAULT).drive(run.program, image, run.inbox);
          } catch (InterruptedException e) {
            calls.add("dropped");
          }
        });
  }

  /// What is on its way ends, and is committed; what follows waits.
  @Test
  void beginsNoSuperstepWhileTheLeaseMayBeOver() throws Exception {
    var graph =
        new TestGraph()
            .node(
                "a",
                _ -> {
                  confirmed.set(false);
                  return note("a");
                })
            .node("b", _ -> note("b"))
            .edge("__start__", "a")
            .edge("a", "b");
    var driver = drive(graph, TestPorts.pool(10));
    await().until(() -> runs.store.checkpoints("run-0").size() == 2);
    assertThat(calls).containsExactly("a");

    confirmed.set(true);

    driver.join();
    assertThat(calls).containsExactly("a", "b");
    assertThat(runs.store.head("run-0").status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// An attempt that waited for its permit looks again.
  @Test
  void callsNoNodeWhoseTurnComesWhenTheLeaseMayBeOver() throws Exception {
    TaskPool late =
        (_, attempt) -> {
          waiting.add(attempt);
          return () -> {};
        };
    var graph = new TestGraph().node("a", _ -> note("a")).edge("__start__", "a");
    var driver = drive(graph, late);
    await().until(() -> waiting.size() == 1);
    confirmed.set(false);
    var task = Thread.ofVirtual().start(waiting.getFirst());
    await().until(() -> task.getState() == Thread.State.TIMED_WAITING);
    assertThat(calls).isEmpty();

    driver.interrupt();

    driver.join();
    task.join();
    assertThat(calls).containsExactly("dropped");
  }
}
