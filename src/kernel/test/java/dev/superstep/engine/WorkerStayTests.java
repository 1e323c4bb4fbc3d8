package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.engine.run.WorkerTask;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A run whose only task goes to a worker that has waited for one stays in memory for a moment
/// (E52): what it has queued is on disk before, so that a kill costs nothing.
@Timeout(60)
class WorkerStayTests {
  private static final String TYPE = "charge";
  private static final Duration LONG = Duration.ofSeconds(20);

  private final AtomicInteger queued = new AtomicInteger();
  private final TestRuns runs = new TestRuns();

  private Outcome work(NodeCall call) {
    return call.workerEnd()
        .map(it -> set("said", ((WorkerEnd.Returned) it).result()))
        .orElseGet(() -> {
          queued.incrementAndGet();
          return new Outcome.Worker(
              new WorkerTask(
                  TYPE,
                  ObjectValue.empty(),
                  call.idempotencyKey(),
                  call.attempt(),
                  new WorkerTask.Timeouts(Optional.empty(), Optional.empty(), LONG)));
        });
  }

  private TestRuns.TestRun working(String... besides) {
    var graph =
        new TestGraph()
            .channel("said", new Reducer.LastValue())
            .node("work", this::work)
            .edge("__start__", "work");
    Stream.of(besides).forEach(it -> graph.node(it, _ -> done()).edge("__start__", it));
    return runs.start(graph.program(), ObjectValue.empty());
  }

  private CompletableFuture<RunStatus> drives(TestRuns.TestRun run) {
    var driven = new CompletableFuture<RunStatus>();
    driver =
        Thread.ofVirtual()
            .start(() -> {
              try {
                driven.complete(run.drive());
              } catch (RuntimeException e) {
                driven.completeExceptionally(e);
              }
            });
    return driven;
  }

  private Thread driver = Thread.currentThread();

  /// Under which its task is queued.
  private List<String> ids(TestRuns.TestRun run) {
    var records = runs.store.recorded(run.header.id()).values();
    return Stream.concat(records.stream(), run.last().held().values().stream())
        .flatMap(it ->
            it.status() instanceof TaskStatus.AtWorker(var id, _) ? Stream.of(id) : Stream.of())
        .toList();
  }

  private String awaitId(TestRuns.TestRun run) {
    await()
        .atMost(LONG)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> !ids(run).isEmpty());
    return ids(run).getFirst();
  }

  private void end(TestRuns.TestRun run, String task) {
    runs.store.end(run.header.id(), task, new WorkerEnd.Returned(Value.of("paid")));
  }

  private static void isPaid(TestRuns.TestRun run) {
    assertThat(run.head().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("said")).isEqualTo(Value.of("paid"));
  }

  /// A pause of the machine may be longer than a stay: once is enough.
  @Test
  void goesOnWithoutARestWithAnOutcomeThatComesSoon() {
    runs.store.await(TYPE);
    await()
        .atMost(LONG)
        .until(() -> {
          var run = working();
          var driven = drives(run);
          end(run, awaitId(run));
          run.inbox.put(new Inbox.Signal.Nudge());
          if (driven.get() == RunStatus.WAITING) {
            run.drive();
          }
          isPaid(run);
          return !run.kinds().contains(CheckpointKind.HELD);
        });
  }

  @Test
  void restsIfTheOutcomeTakesLonger() {
    runs.store.await(TYPE);
    var run = working();
    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    assertThat(run.kinds()).contains(CheckpointKind.HELD);
  }

  /// Its task is queued by the checkpoint of the rest, and not before.
  @Test
  void restsAtOnceIfNobodyHasWaited() {
    var run = working();
    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    assertThat(runs.store.records()).isZero();
  }

  @Test
  void restsAtOnceBesideOtherTasks() {
    runs.store.await(TYPE);
    var run = working("other");
    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    assertThat(runs.store.records()).isZero();
  }

  /// The worker ends it before another driver has the run, or behind that.
  @Test
  void losesNothingWhenItsDriverDiesMeanwhile() {
    runs.store.await(TYPE);
    for (boolean before : List.of(true, false)) {
      var run =
          await().atMost(LONG).until(this::killed, it -> !it.kinds().contains(CheckpointKind.HELD));
      var task = awaitId(run);
      if (before) {
        end(run, task);
      } else {
        assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
        end(run, task);
      }
      assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
      isPaid(run);
      assertThat(queued).as("not queued again").hasValue(1);
    }
  }

  /// A run whose driver was killed while it stayed, or when it rested already.
  private TestRuns.TestRun killed() {
    queued.set(0);
    var run = working();
    var driven = drives(run);
    awaitId(run);
    driver.interrupt();
    await().atMost(LONG).until(driven::isDone);
    assertThat(driven.isCompletedExceptionally())
        .isNotEqualTo(run.kinds().contains(CheckpointKind.HELD));
    return run;
  }
}
