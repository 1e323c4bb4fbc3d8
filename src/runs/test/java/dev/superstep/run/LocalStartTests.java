package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.drive.LocalRuns;
import dev.superstep.run.drive.RunSettings;
import dev.superstep.run.drive.SignalPoller;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Replica;
import dev.superstep.schedule.ScheduledRows;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionOperations;

/// Runs that begin where they are posted, without the queue.
@RunTest
class LocalStartTests {
  private static final int STARTS = 16;
  @Autowired private RunActions on;
  @Autowired private Replica replica;
  @Autowired private SignalPoller poll;
  @Autowired private LocalRuns localRuns;
  @Autowired private RunSettings settings;
  @Autowired private DatabaseClock clock;
  @Autowired private TransactionOperations transaction;

  private String twoSteps() {
    var name = fresh("local");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "b"));
    return name;
  }

  /// A run that finds no slot, or a database that has just been silent, is queued instead.
  private RunService.Started startedHere(String graph) {
    return await().until(() -> on.runs().start(request(graph)), it -> it.progress().isPresent());
  }

  private long wakeUps(String run) {
    return new ScheduledRows(on.jdbc()).wakeUps(run);
  }

  /// What the client sees from memory is what the database has.
  @Test
  void showsARunAsItIsStored() throws Exception {
    var started = startedHere(twoSteps());
    var progress = started.progress().orElseThrow();

    var seen = progress.await(RunActions.LONG).orElseThrow();

    assertThat(seen).isEqualTo(on.queries().run(started.run()));
    assertThat(seen.summary().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(progress.initial().summary().status()).isEqualTo(RunStatus.RUNNING);
    assertThat(wakeUps(started.run())).isZero();
    assertThat(on.events(started.run()))
        .containsExactly(
            "run.created",
            "run.started",
            "superstep.committed",
            "superstep.committed",
            "run.succeeded");
  }

  @Test
  void saysNothingOfARunThatDidNotSucceed() throws Exception {
    var name = fresh("local");
    on.graphs().add(graph(name).node("a", _ -> TestGraphs.fails("no")).edge("__start__", "a"));
    var started = startedHere(name);

    assertThat(started.progress().orElseThrow().await(RunActions.LONG)).isEmpty();

    assertThat(on.status(started.run())).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void queuesARunWhereNothingMayBegin() {
    replica.pauseClaims();
    try {
      var started = on.runs().start(request(twoSteps()));
      assertThat(started.progress()).isEmpty();
      assertThat(on.status(started.run())).isEqualTo(RunStatus.QUEUED);
      assertThat(wakeUps(started.run())).isEqualTo(1);
      replica.resumeClaims();
      on.await(started.run(), RunStatus.SUCCEEDED);
    } finally {
      replica.resumeClaims();
    }
  }

  /// Commit path: runs share a statement, never a fate.
  @Test
  void startsRunsBesideOneThatTheDatabaseRefuses() throws Exception {
    var name = twoSteps();
    var together = new CyclicBarrier(STARTS);
    var started = new ArrayList<Future<String>>();
    try (var callers = Executors.newFixedThreadPool(STARTS)) {
      for (int i = 0; i < STARTS; i++) {
        var metadata = Map.of("note", i == 7 ? "\0" : "fine");
        started.add(
            callers.submit(() -> {
              together.await();
              return on.runs().start(request(name, metadata)).run();
            }));
      }
    }
    for (int i = 0; i < STARTS; i++) {
      if (i == 7) {
        assertThatThrownBy(started.get(i)::get).hasCauseInstanceOf(DataAccessException.class);
      } else {
        on.await(started.get(i).get(), RunStatus.SUCCEEDED);
      }
    }
  }

  /// No run is born as that of a replica that was buried: it is queued instead.
  @Test
  void queuesARunWhenTheDatabaseDoesNotKnowTheReplicaAnyMore() {
    var name = twoSteps();
    var buried = replica.id().orElseThrow();
    keepOwnersAtInsert();
    var rows = new ScheduledRows(on.jdbc());
    rows.refuseNames(); // so that it has no other name by then
    String run;
    try {
      rows.deleteReplicas();

      run = on.start(name);

      assertThat(on.jdbc().sql("select owner from owner_at_insert").query(String.class).list())
          .containsOnlyNulls();
    } finally {
      rows.acceptNames();
      on.jdbc().sql("drop function keep_owner_at_insert cascade").update();
      on.jdbc().sql("drop table owner_at_insert").update();
    }
    await().until(() -> replica.id().isPresent() && !replica.id().get().equals(buried));
    on.await(run, RunStatus.SUCCEEDED);
  }

  /// Before it notices, the replica may claim the run out of the queue, so that the row says
  /// nothing any more about how it was inserted.
  private void keepOwnersAtInsert() {
    on.jdbc().sql("create table owner_at_insert (owner text)").update();
    on.jdbc()
        .sql(
            """
            create function keep_owner_at_insert() returns trigger language plpgsql as $$
            begin
              insert into owner_at_insert values (new.owner);
              return null;
            end $$
            """)
        .update();
    on.jdbc()
        .sql(
            """
            create trigger keep_owner_at_insert after insert on run
               for each row execute function keep_owner_at_insert()
            """)
        .update();
  }

  @Test
  void drivesNothingWhenTheCallRollsBack() {
    var name = twoSteps();
    var run =
        transaction.execute(status -> {
          var id = on.start(name);
          assertThat(localRuns.drives(id)).isTrue();
          status.setRollbackOnly();
          return id;
        });

    assertThat(localRuns.drives(String.valueOf(run))).isFalse();
    assertThat(
            on.jdbc()
                .sql("select id from run where id = ?")
                .param(run)
                .query(String.class)
                .optional())
        .isEqualTo(Optional.empty());
  }

  /// I7: the transaction was committed, and this process never learned of it.
  @Test
  void queuesARunThatIsItsOwnAndThatItDoesNotDrive() {
    var name = fresh("local");
    var gate = new CountDownLatch(1);
    on.graphs()
        .add(
            graph(name)
                .node(
                    "a",
                    _ -> {
                      gate.await();
                      return log("a");
                    })
                .edge("__start__", "a"));
    replica.pauseClaims();
    var run = on.start(name);
    var me = replica.id().orElseThrow();
    on.jdbc()
        .sql("update run set owner = ?, status = 'running', lease_epoch = 1, wake = 2 where id = ?")
        .params(me, run)
        .update();

    poll.reconcileOwned(me);

    replica.resumeClaims();
    gate.countDown();
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("a");
  }

  /// E34, E35: an answer gets the run going where it is given.
  @Test
  void resumesARunWithoutTheQueue() {
    var name = fresh("local");
    var question = InterruptRequest.of("ask", Value.NULL);
    on.graphs().add(graph(name).node("ask", asks(question)).edge("__start__", "ask"));
    var run = on.start(name);
    var id = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst().id();

    on.runs().answer(id, Value.of("yes"));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(wakeUps(run)).isZero();
    assertThat(on.log(run)).containsExactly("yes");
    assertThat(on.events(run))
        .containsSubsequence("run.interrupted", "run.resumed", "run.succeeded")
        .doesNotContain("run.taken_over");
  }

  /// A birth that fails gives its slots up, and so does the end of its transaction.
  @Test
  void givesASlotUpOnlyOnce() {
    var room = new LocalRuns(settings, replica, clock, new WorkPermits(64, Duration.ofSeconds(2)));
    var first = room.reserve("one", "here", "caller").orElseThrow();
    for (int i = 1; i < settings.runs().max(); i++) {
      assertThat(room.reserve("more", "here", "caller")).isPresent();
    }

    room.release(first);
    room.release(first);

    assertThat(room.reserve("one", "here", "caller")).isPresent();
    assertThat(room.reserve("two", "here", "caller")).isEmpty();
    replica.resumeClaims();
  }
}
