package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.onThread;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.fails;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.run.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/// What the newest checkpoints of a thread cost does not grow with its runs.
@RunTest
class ThreadHistoryCostTests {
  private static final int FEW = 10;
  private static final int MANY = 5_000;
  private static final int ROWS = 60;

  @Autowired private RunActions on;
  @Autowired private TransactionOperations transaction;
  private final List<String> copied = new ArrayList<>();

  @Test
  void readsFewRowsHoweverManyRunsTheThreadHas() {
    long few = rowsRead(threadOf(FEW), 1);
    long many = rowsRead(threadOf(MANY), 1);

    assertThat(few).isBetween(2L, (long) ROWS);
    assertThat(many).isLessThanOrEqualTo(ROWS);
    assertThat(rowsRead(threadOf(MANY), FEW)).isLessThan(FEW * (long) ROWS);
  }

  /// A run that is resumed goes on behind runs that came later: what it has committed before is
  /// older than theirs, what follows is not.
  @Test
  void findsTheNewestWhereRunsWereResumed() {
    var works = new AtomicBoolean();
    var name = fragile(works);
    var thread = fresh("thread");
    var first = run(name, thread, RunStatus.FAILED);
    var second = run(name, thread, RunStatus.FAILED);
    var third = run(name, thread, RunStatus.FAILED);
    assertThat(newest(thread)).startsWith(third + "/1", third + "/0", second + "/1");
    works.set(true);
    on.runs().resume(RunActions.resume(first));
    on.await(first, RunStatus.SUCCEEDED);
    var fourth = run(name, thread, RunStatus.SUCCEEDED);
    on.runs().resume(RunActions.resume(second));
    on.await(second, RunStatus.SUCCEEDED);

    var all = newest(thread);
    assertThat(all)
        .startsWith(second + "/3", fourth + "/2", fourth + "/1", fourth + "/0", first + "/3")
        .endsWith(first + "/1", first + "/0")
        .hasSize(11);
    for (int limit = 1; limit < all.size(); limit++) {
      assertThat(names(on.threads().history(thread, Optional.empty(), limit)))
          .isEqualTo(all.subList(0, limit));
    }
  }

  @Test
  void findsTheNewestBehindRunsThatWereResumedInVain() {
    var works = new AtomicBoolean();
    var name = fragile(works);
    var thread = fresh("thread");
    var first = run(name, thread, RunStatus.FAILED);
    var second = run(name, thread, RunStatus.FAILED);
    works.set(true);
    var third = run(name, thread, RunStatus.SUCCEEDED);
    works.set(false);
    for (var run : List.of(first, second)) {
      on.runs().resume(RunActions.resume(run));
      on.await(run, RunStatus.FAILED);
    }

    assertThat(names(on.threads().history(thread, Optional.empty(), 1)))
        .containsExactly(third + "/2");
  }

  /// They are committed when they are posted, before those that the run has that they wait for.
  @Test
  void findsTheNewestBehindForksThatWaited() {
    var gate = new CountDownLatch(1);
    var calls = new AtomicInteger();
    var name = fresh("forked");
    NodeRunner once =
        _ -> {
          if (calls.getAndIncrement() > 0) {
            return fails("no_more");
          }
          gate.await();
          return log("b");
        };
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", once)
                .node("c", says("c"))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"));
    var thread = fresh("thread");
    var first = on.runs().start(onThread(request(name), thread)).run();

    await().until(() -> calls.get() == 1);
    var one = on.runs().fork(TestFork.of(first, 1).onThread(thread, IfBusy.ENQUEUE).request());
    var two = on.runs().fork(TestFork.of(first, 1).onThread(thread, IfBusy.ENQUEUE).request());
    gate.countDown();
    on.await(first, RunStatus.SUCCEEDED);
    on.await(one, RunStatus.FAILED);
    on.await(two, RunStatus.FAILED);

    var pages = new ArrayList<ThreadCheckpoint>();
    for (var page = on.threads().history(thread, Optional.empty(), 1);
        !page.isEmpty();
        page = on.threads().history(thread, Optional.of(pages.getLast().position().id()), 1)) {
      pages.addAll(page);
    }
    assertThat(names(pages)).isEqualTo(newest(thread));
  }

  private String fragile(AtomicBoolean works) {
    var name = fresh("fragile");
    NodeRunner fragile = _ -> works.get() ? log("b") : fails("not_yet");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", fragile)
                .edge("__start__", "a")
                .edge("a", "b"));
    return name;
  }

  private String run(String graph, String thread, RunStatus end) {
    var run = on.runs().start(onThread(request(graph), thread)).run();
    on.await(run, end);
    return run;
  }

  private List<String> newest(String thread) {
    return names(on.threads().history(thread, Optional.empty(), 100));
  }

  private static List<String> names(List<ThreadCheckpoint> checkpoints) {
    return checkpoints.stream()
        .map(ThreadCheckpoint::position)
        .map(it -> it.at().run() + "/" + it.at().checkpoint())
        .toList();
  }

  /// They lack what other tests expect of runs.
  @AfterEach
  void removesTheCopies() {
    for (var run : copied) {
      on.jdbc().sql("delete from checkpoint where run like ? || '-%'").param(run).update();
      on.jdbc().sql("delete from run where id like ? || '-%'").param(run).update();
    }
  }

  /// A thread with so many runs that are like the first one.
  private String threadOf(int runs) {
    var name = fresh("plain");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    var thread = fresh("thread");
    var first = run(name, thread, RunStatus.SUCCEEDED);
    copied.add(first);
    copies(first, runs, "run", "'id', id || '-' || n, 'ordinal', n, 'turn', n, 'birth_id', null");
    copies(
        first,
        runs,
        "checkpoint",
        "'run', run || '-' || n, 'committed_at', committed_at + n * interval '1 second'");
    on.jdbc().sql("update thread set runs = ? where id = ?").params(runs, thread).update();
    on.jdbc().sql("analyze run, checkpoint").update();
    return thread;
  }

  private void copies(String run, int count, String table, String changes) {
    on.jdbc()
        .sql(
            """
            insert into %s
            select copied.* from %1$s as row cross join generate_series(1, ?) as n,
                   jsonb_populate_record(row, jsonb_build_object(%s)) as copied
             where row.%s = ?
            """
                .formatted(table, changes, table.equals("run") ? "id" : "run"))
        .params(count - 1, run)
        .update();
  }

  private long rowsRead(String thread, int limit) {
    return Objects.requireNonNull(
        transaction.execute(_ -> {
          long before = rowsRead();
          assertThat(on.threads().history(thread, Optional.empty(), limit)).hasSize(limit);
          return rowsRead() - before;
        }));
  }

  private long rowsRead() {
    return on.jdbc()
        .sql(
            """
            select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))
              from pg_stat_xact_user_tables where relname in ('run', 'checkpoint')
            """)
        .query(Long.class)
        .single();
  }
}
