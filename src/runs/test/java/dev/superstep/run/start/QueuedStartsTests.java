package dev.superstep.run.start;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunTest;
import dev.superstep.schedule.Replica;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Future.State;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/// Starts for which the replica has no room.
@RunTest
class QueuedStartsTests {
  /// More than there are connections.
  private static final int STARTS = 60;

  private static final int READERS = 4;

  private static final String REFUSAL =
      """
      create or replace function refusal() returns trigger language plpgsql as $$
      begin
        raise exception 'not this one';
      end $$;
      create trigger refusal before insert on run for each row
        when (new.graph = '%s') execute function refusal();
      """;

  @Autowired private RunActions on;
  @Autowired private Replica replica;
  @Autowired private TransactionOperations transaction;

  @Test
  void leaveOthersTheirConnectionsHoweverManyThereAre() {
    var name = fresh("queued");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    var known = on.start(name);
    on.await(known, RunStatus.SUCCEEDED);
    replica.pauseClaims();
    var starts = new ArrayList<Future<String>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      transaction.executeWithoutResult(_ -> {
        on.jdbc().sql("lock table scheduled_tasks in exclusive mode").update();
        for (int i = 0; i < STARTS; i++) {
          starts.add(threads.submit(() -> on.runs().start(request(name)).run()));
        }
        await().until(this::isWaiting);
        for (int i = 0; i < READERS; i++) {
          assertReads(threads, known);
        }
      });
    } finally {
      replica.resumeClaims();
    }

    assertThat(starts.stream().map(Future::resultNow).distinct()).hasSize(STARTS);
    starts.forEach(it -> on.await(it.resultNow(), RunStatus.SUCCEEDED));
  }

  private void assertReads(ExecutorService threads, String run) {
    var read = threads.submit(() -> on.status(run));
    assertThatCode(() -> read.get(3, SECONDS)).doesNotThrowAnyException();
  }

  /// Whether starts wait for the lock.
  private boolean isWaiting() {
    return on.jdbc()
        .sql("select exists (select from pg_locks where not granted)")
        .query(Boolean.class)
        .single();
  }

  /// One that fails takes none of those with it that share its transaction.
  @Test
  void failByThemselves() {
    var name = fresh("queued");
    var refused = fresh("refused");
    for (var it : List.of(name, refused)) {
      on.graphs().add(graph(it).node("a", says("a")).edge("__start__", "a"));
    }
    on.jdbc().sql(REFUSAL.formatted(refused)).update();
    replica.pauseClaims();
    var starts = new ArrayList<Future<String>>();
    var failing = new ArrayList<Future<String>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      transaction.executeWithoutResult(_ -> {
        on.jdbc().sql("lock table scheduled_tasks in exclusive mode").update();
        for (int i = 0; i < STARTS; i++) {
          starts.add(threads.submit(() -> on.runs().start(request(name)).run()));
          failing.add(threads.submit(() -> on.runs().start(request(refused)).run()));
        }
        await().until(this::isWaiting);
      });
    } finally {
      replica.resumeClaims();
      on.jdbc().sql("drop trigger refusal on run").update();
    }

    assertThat(failing).allMatch(it -> it.state() == State.FAILED);
    starts.forEach(it -> on.await(it.resultNow(), RunStatus.SUCCEEDED));
  }
}
