package dev.superstep.run.drive;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunTest;
import dev.superstep.run.drive.RunClaims.Admits;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// durability.md, rule 10: what was in flight when processes died is driven one at a time.
@RunTest
class SuspectsTests {
  @Autowired private RunActions on;
  @Autowired private RunClaims runClaims;
  @Autowired private Replica replica;
  @Autowired private RunQueue runQueue;
  @Autowired private Suspects suspects;
  @Autowired private LocalRuns localRuns;
  @Autowired private RunDriverThread driving;
  @Autowired private DataSource database;

  private final Map<String, CountDownLatch> begun = new ConcurrentHashMap<>();

  @BeforeEach
  void claimNothing() {
    replica.pauseClaims();
  }

  @AfterEach
  void claimAgain() {
    begun.values().forEach(CountDownLatch::countDown);
    replica.resumeClaims();
  }

  /// Is called once and then stays until its run's gate opens.
  private NodeRunner stays() {
    return call -> {
      begun.computeIfAbsent(call.run().id(), _ -> new CountDownLatch(1)).await();
      return log("b");
    };
  }

  /// A run that two owners have died with.
  private String suspect(String graph) {
    var run = on.start(graph);
    on.jdbc().sql("update run set takeovers = 2 where id = ?").param(run).update();
    return run;
  }

  private long takeovers(String run) {
    return on.jdbc()
        .sql("select takeovers from run where id = ?")
        .param(run)
        .query(Long.class)
        .single();
  }

  private void awaitBegun(int runs) {
    await().atMost(Duration.ofSeconds(20)).until(() -> begun.size() == runs);
  }

  private void letOneGoOn() {
    begun.values().stream()
        .filter(it -> it.getCount() > 0)
        .findFirst()
        .ifPresent(CountDownLatch::countDown);
  }

  @Test
  void drivesSuspectsOneAfterTheOtherAndOthersBesideThem() {
    var name = fresh("suspect");
    on.graphs().add(graph(name).node("b", stays()).edge("__start__", "b"));
    var innocent = fresh("innocent");
    on.graphs().add(graph(innocent).node("a", says("a")).edge("__start__", "a"));
    var runs = new String[] {suspect(name), suspect(name), suspect(name)};
    runQueue.refresh(); // several graphs compete for what room there is
    replica.resumeClaims();
    awaitBegun(1);

    on.await(on.start(innocent), RunStatus.SUCCEEDED);
    assertThat(begun).hasSize(1);

    for (int i = 1; i < runs.length; i++) {
      letOneGoOn();
      awaitBegun(i + 1);
      assertThat(begun.values()).filteredOn(it -> it.getCount() > 0).hasSize(1);
    }
    letOneGoOn();
    for (var run : runs) {
      on.await(run, RunStatus.SUCCEEDED);
    }
  }

  @Test
  void suspectsNoRunThatHasCommitted() {
    var name = fresh("suspect");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", stays())
                .edge("__start__", "a")
                .edge("a", "b"));
    suspect(name);
    suspect(name);

    replica.resumeClaims();

    awaitBegun(2);
  }

  @Test
  void suspectsNoRunThatHasRecordedAnOutcome() {
    var name = fresh("suspect");
    on.graphs()
        .add(graph(name).node("a", says("a")).node("b", stays()).edge("__start__", "a", "b"));
    suspect(name);
    suspect(name);

    replica.resumeClaims();

    awaitBegun(2);
  }

  /// The one that was driven when a third process died fails; the one that waited goes on.
  @Test
  void failsTheSuspectThatEndsAThirdProcess() {
    var name = fresh("suspect");
    on.graphs().add(graph(name).node("b", stays()).edge("__start__", "b"));
    var poison = suspect(name);
    var beside = suspect(name);
    long wake =
        on.jdbc().sql("select wake from run where id = ?").param(poison).query(Long.class).single();
    assertThat(runClaims.claim(poison, wake, "third", Admits.NO_SUSPECTS)).isEmpty();
    assertThat(runClaims.waits(poison, wake)).isTrue();
    assertThat(runClaims.claim(poison, wake, "third", Admits.ALL)).isPresent();
    runClaims.requeueOwnedBy("third");

    replica.resumeClaims();

    awaitBegun(1);
    letOneGoOn();
    on.await(beside, RunStatus.SUCCEEDED);
    var failed = on.await(poison, RunStatus.FAILED);
    assertThat(failed.summary().standing().error().orElseThrow().error().code())
        .isEqualTo("poison_run");
    assertThat(begun).containsOnlyKeys(beside);
    on.runs().resume(RunActions.resume(poison));
    awaitBegun(2);
    letOneGoOn();
    on.await(poison, RunStatus.SUCCEEDED);
  }

  /// A commit that is not on disk says nothing about the next process that dies.
  @Test
  void suspectsARunUntilItsCommitIsOnDisk() throws Exception {
    var name = fresh("suspect");
    var first = new CountDownLatch(1);
    var locked = new CountDownLatch(1);
    on.graphs()
        .add(
            graph(name)
                .node(
                    "a",
                    _ -> {
                      first.countDown();
                      locked.await();
                      return log("a");
                    })
                .node("b", stays())
                .edge("__start__", "a")
                .edge("a", "b"));
    var innocent = fresh("innocent");
    on.graphs().add(graph(innocent).node("a", says("a")).edge("__start__", "a"));
    var run = suspect(name);
    replica.resumeClaims();
    first.await();

    try (var connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (var lock = connection.prepareStatement("select from run where id = ? for update")) {
        lock.setString(1, run);
        lock.execute();
      }
      locked.countDown();
      await().atMost(Duration.ofSeconds(20)).until(this::someStatementWaits);
      on.await(on.start(innocent), RunStatus.SUCCEEDED);
      assertThat(suspects.isFree()).isFalse();
      assertThat(begun).isEmpty();
      connection.rollback();
    }

    awaitBegun(1);
    assertThat(takeovers(run)).isZero();
    assertThat(suspects.isFree()).isTrue();
    letOneGoOn();
    on.await(run, RunStatus.SUCCEEDED);
  }

  private boolean someStatementWaits() {
    return on.jdbc()
        .sql("select exists (select from pg_locks where not granted)")
        .query(Boolean.class)
        .single();
  }

  /// There may be two for a moment: one that has lost the run and is ending, and the next one.
  @Test
  void keepsThePlaceOfARunWhoseFormerDriverEnds() {
    var name = fresh("suspect");
    on.graphs().add(graph(name).node("b", stays()).edge("__start__", "b"));
    var run = on.start(name);
    on.jdbc().sql("update run set takeovers = 1 where id = ?").param(run).update();
    long wake =
        on.jdbc().sql("select wake from run where id = ?").param(run).query(Long.class).single();
    var former = runClaims.claim(run, wake, "former", Admits.ALL).orElseThrow();
    runClaims.requeueOwnedBy("former");
    replica.resumeClaims();
    awaitBegun(1);
    var localRun = localRuns.reserve(run, "former", "caller").orElseThrow();

    Thread.currentThread().interrupt();
    driving.drive(former, localRun);

    assertThat(Thread.interrupted()).isTrue();
    localRuns.release(localRun);
    assertThat(suspects.isFree()).isFalse();
    letOneGoOn();
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(suspects.isFree()).isTrue();
  }
}
