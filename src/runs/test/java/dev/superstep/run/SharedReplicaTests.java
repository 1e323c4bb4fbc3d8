package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.run.RunsAlone.TestCallers;
import dev.superstep.run.drive.RunQueue;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// A replica with room for sixteen runs and for sixteen calls, all of which are held by one caller,
/// for as long as the test wants: neither a turn nor a time-out frees any.
class SharedReplicaTests {
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final int ROOM = 16;
  private static TwoReplicas cluster;
  private static ConfigurableApplicationContext replica;
  private static RunActions on;

  private final Semaphore gate = new Semaphore(0);
  private final AtomicInteger begun = new AtomicInteger();

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new TwoReplicas(
            "--superstep.runs.max=" + ROOM,
            "--superstep.tasks.max=" + ROOM,
            "--superstep.runs.turn=1h",
            "--superstep.callers.stored-max=1MB");
    replica = cluster.start();
    on = cluster.on(replica);
    await().atMost(SOON).until(() -> TwoReplicas.hasJoined(replica));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void open() {
    gate.release(10_000);
  }

  private String gated() {
    var name = fresh("gated");
    cluster
        .graphs()
        .add(
            graph(name)
                .node(
                    "a",
                    _ -> {
                      begun.incrementAndGet();
                      gate.acquire();
                      return log("a");
                    })
                .edge("__start__", "a"));
    return name;
  }

  private static String small() {
    var name = fresh("small");
    cluster.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    return name;
  }

  /// More runs of one caller than there is room for, each of which holds its call.
  private List<String> fill() {
    var graph = gated();
    var runs =
        TestCallers.as(
            "many", () -> Stream.generate(() -> on.start(graph)).limit(ROOM + 10L).toList());
    await().atMost(SOON).until(() -> begun.get() == ROOM);
    await().atMost(SOON).until(() -> replica.getBean(RunQueue.class).someWait());
    return runs;
  }

  /// One that begins where it is posted, and one that comes out of the queue.
  @Test
  void hasRoomForAnotherCaller() {
    var many = fill();
    var graph = small();

    var posted = TestCallers.as("few", () -> on.start(graph));
    on.await(posted, RunStatus.SUCCEEDED);
    var later = TestCallers.as("other", () -> on.runs().start(soon(graph)).run());
    on.await(later, RunStatus.SUCCEEDED);

    assertThat(begun).hasValue(ROOM);
    gate.release(10_000);
    many.forEach(it -> on.await(it, RunStatus.SUCCEEDED));
  }

  /// What has begun could write on for as long as it likes.
  @Test
  void stopsLoopsOfACallerWhoStoresTooMuch() {
    var name = fresh("fat");
    cluster
        .graphs()
        .add(graph(name).node("a", _ -> overwrites()).edge("__start__", "a").edge("a", "a"));
    var fat =
        TestCallers.as(
            "greedy",
            () ->
                on.runs()
                    .start(
                        with(
                            request(name),
                            new StartRun.Options(
                                supersteps(), Breakpoints.NONE, 0, Optional.empty())))
                    .run());

    var failed = on.await(fat, RunStatus.FAILED);

    assertThat(failed.summary().standing().error().orElseThrow().error().code())
        .isEqualTo("storage_quota_exceeded");
    on.await(TestCallers.as("few", () -> on.start(small())), RunStatus.SUCCEEDED);
  }

  /// Its history grows, and its state does not.
  private static Outcome overwrites() {
    return new Outcome.Done(NodeResult.of(Change.update("noise", Value.of(noise()))));
  }

  /// Two thousand characters that no compression makes much smaller.
  private static String noise() {
    return ThreadLocalRandom.current()
        .ints(2_000, 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static Limits supersteps() {
    return new Limits(
        Optional.of(100_000),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static StartRun soon(String graph) {
    var options =
        new StartRun.Options(
            Limits.NONE, Breakpoints.NONE, 0, Optional.of(Instant.now().plusMillis(300)));
    return with(request(graph), options);
  }
}
