package dev.superstep.run;

import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.SuperstepApplication;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.schedule.Replica;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// What one replica learns of what another one does. Runs start where they are posted: it is known
/// who drives them.
abstract class ReplicasTellEachOther {
  private static final Duration SOON = Duration.ofSeconds(10);

  /// Two replicas.
  abstract List<ConfigurableApplicationContext> replicas();

  abstract TwoReplicas cluster();

  /// Of the whole service.
  static TwoReplicas services(String... settings) throws Exception {
    var web =
        Stream.of(
            "--superstep.lease=3s",
            "--superstep.poll=50ms",
            "--superstep.news-poll=100ms",
            "--server.port=0",
            "--management.server.port=-1");
    return new TwoReplicas(SuperstepApplication.class, Stream.concat(web, Stream.of(settings)));
  }

  private RunActions driver() {
    return cluster().on(replicas().getFirst());
  }

  private RunActions other() {
    return cluster().on(replicas().getLast());
  }

  private static String fresh() {
    return RunActions.fresh("told");
  }

  @Test
  void cancelsARunThatTheOtherDrives() {
    var name = fresh();
    var calls = new AtomicInteger();
    cluster().graphs().add(graph(name).node("a", _ -> never(calls)).edge("__start__", "a"));
    var run = driver().start(name);
    await().atMost(SOON).until(() -> calls.get() == 1);

    other().runs().cancel(run);

    driver().await(run, RunStatus.CANCELLED);
  }

  private static dev.superstep.engine.node.Outcome never(AtomicInteger calls)
      throws InterruptedException {
    calls.incrementAndGet();
    new CountDownLatch(1).await();
    return log("never");
  }

  @Test
  void bringsAnAnswerToTheDriver() {
    var name = fresh();
    var gate = new CountDownLatch(1);
    var answered = new CountDownLatch(1);
    var question = InterruptRequest.of("ask", Value.NULL);
    cluster()
        .graphs()
        .add(
            graph(name)
                .node(
                    "ask",
                    call -> {
                      call.resume().ifPresent(_ -> answered.countDown());
                      return asks(question).run(call);
                    })
                .node(
                    "slow",
                    _ -> {
                      gate.await();
                      return log("slow");
                    })
                .edge("__start__", "ask", "slow"));
    var run = driver().start(name);
    var open = InterruptFilter.of(run);
    await()
        .atMost(SOON)
        .until(() -> !other().queries().interrupts(open, Page.Request.first(5)).items().isEmpty());
    var id = other().queries().interrupts(open, Page.Request.first(5)).items().getFirst().id();

    other().runs().answer(id, Value.of("now"));

    await().atMost(SOON).until(() -> answered.getCount() == 0);
    gate.countDown();
    driver().await(run, RunStatus.SUCCEEDED);
  }

  /// `?wait=` and streams: at rest, and events.
  @Test
  void letsClientsWaitForARunThatTheOtherDrives() throws Exception {
    var name = fresh();
    var gate = new CountDownLatch(1);
    cluster()
        .graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node(
                    "b",
                    _ -> {
                      gate.await();
                      return log("b");
                    })
                .edge("__start__", "a")
                .edge("a", "b"));
    var run = driver().start(name);
    await().atMost(SOON).until(() -> driver().events(run).size() == 3);
    var rested = new CountDownLatch(1);
    var told = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> waitForRest(run, rested));
    Thread.ofVirtual().start(() -> waitForEvents(run, told));
    // Both wait: they have looked and found nothing, several times.
    assertThat(rested.await(1500, java.util.concurrent.TimeUnit.MILLISECONDS)).isFalse();

    gate.countDown();

    await().atMost(SOON).until(() -> rested.getCount() == 0 && told.getCount() == 0);
  }

  private void waitForRest(String run, CountDownLatch done) {
    try {
      other().watch().awaitRest(run, RunActions.LONG);
      done.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void waitForEvents(String run, CountDownLatch done) {
    try {
      other().watch().awaitEvents(run, 3, () -> false, RunActions.LONG);
      done.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void takesARunThatTheOtherHasNoRoomFor() {
    var name = fresh();
    cluster().graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    var full = replicas().getFirst().getBean(Replica.class);
    full.pauseClaims();
    try {
      var run = driver().start(name);
      await().atMost(SOON).until(() -> other().status(run) == RunStatus.SUCCEEDED);
    } finally {
      full.resumeClaims();
    }
  }

  /// A run that is handed back, or resumed where there is no room, is taken at once.
  @Test
  void takesARunThatIsResumedWhereThereIsNoRoom() {
    var name = fresh();
    var question = InterruptRequest.of("ask", Value.NULL);
    cluster().graphs().add(graph(name).node("ask", asks(question)).edge("__start__", "ask"));
    var run = driver().start(name);
    var id = driver().await(run, RunStatus.INTERRUPTED).interrupts().getFirst().id();
    var full = replicas().getFirst().getBean(Replica.class);
    full.pauseClaims();
    try {
      driver().runs().answer(id, Value.of("yes"));
      await().atMost(SOON).until(() -> other().status(run) == RunStatus.SUCCEEDED);
    } finally {
      full.resumeClaims();
    }
  }
}
