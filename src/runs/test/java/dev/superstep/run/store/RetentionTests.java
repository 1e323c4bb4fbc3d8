package dev.superstep.run.store;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.fails;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.NodeId;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.HistoryCheck.BrokenRow;
import dev.superstep.run.HistoryCheck.Damage;
import dev.superstep.run.HistoryCheck.HistoryHead;
import dev.superstep.run.Page;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunHistory;
import dev.superstep.run.RunTest;
import dev.superstep.run.TaskFilter;
import dev.superstep.run.store.RetentionSettings.OfGraph;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/// What retention purges, and what it leaves because something needs it. Each test has a policy for
/// its own graph, and moves the ends of its runs into the past.
@RunTest
class RetentionTests {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration WEEK = Duration.ofDays(7);

  @Autowired private RunActions on;
  @Autowired private EndedRuns endedRuns;
  @Autowired private RunPurge purge;
  @Autowired private HistoryTrim trim;
  @Autowired private RunHistory history;
  @Autowired private IdleThreads idleThreads;
  @Autowired private DatabaseClock clock;
  @Autowired private TransactionOperations transaction;
  @Autowired private RunEraser eraser;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private void purge(String graph, OfGraph policy) {
    var settings =
        new RetentionSettings(null, null, null, null, null, 1, 100, Map.of(graph, policy));
    job(settings).takeTurn();
  }

  private RetentionJob job(RetentionSettings settings) {
    return new RetentionJob(
        settings, endedRuns, purge, trim, idleThreads, new RetentionMetrics(meters), clock);
  }

  private static OfGraph runs(Duration time) {
    return new OfGraph(time, time, time, null, null, null);
  }

  private String done() {
    var name = fresh("done");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    return name;
  }

  private String failing() {
    var name = fresh("failing");
    on.graphs().add(graph(name).node("a", _ -> fails("broken")).edge("__start__", "a"));
    return name;
  }

  private String ended(String graph, RunStatus status) {
    var run = on.start(graph);
    on.await(run, status);
    return run;
  }

  private String onThread(String graph, String thread) {
    var run = on.runs().start(RunActions.onThread(request(graph), thread)).run();
    on.await(run, RunStatus.SUCCEEDED);
    return run;
  }

  private void age(String run, int days) {
    on.jdbc()
        .sql("update run set finished_at = finished_at - make_interval(days => ?) where id = ?")
        .params(days, run)
        .update();
  }

  private boolean exists(String run) {
    return count("select count(*) from run where id = ?", run) == 1;
  }

  private long count(String query, String run) {
    return on.jdbc().sql(query).param(run).query(Long.class).single();
  }

  @Test
  void purgesWhatIsOverdueAndNothingElse() {
    var graph = done();
    var old = ended(graph, RunStatus.SUCCEEDED);
    var young = ended(graph, RunStatus.SUCCEEDED);
    var other = ended(done(), RunStatus.SUCCEEDED);
    List.of(old, other).forEach(it -> age(it, 8));
    age(young, 6);

    purge(graph, runs(WEEK));

    assertThat(exists(old)).isFalse();
    assertThat(count("select count(*) from checkpoint where run = ?", old)).isZero();
    assertThat(exists(young)).isTrue();
    assertThat(exists(other)).isTrue();
    assertThat(meters.counter("superstep.retention.runs.purged").count()).isEqualTo(1);
    assertThat(meters.get("superstep.retention.overdue").gauge().value())
        .isBetween(86_000.0, 87_000.0);
  }

  @Test
  void purgesWhatIsBehindARunThatTheDatabaseRefusesToDelete() {
    var graph = done();
    var refused = ended(graph, RunStatus.SUCCEEDED);
    var behind = ended(graph, RunStatus.SUCCEEDED);
    age(refused, 9);
    age(behind, 8);
    on.jdbc().sql("create table claim_on_run (run text references run (id))").update();
    try {
      on.jdbc().sql("insert into claim_on_run values (?)").param(refused).update();

      purge(graph, runs(WEEK));

      assertThat(exists(refused)).isTrue();
      assertThat(exists(behind)).isFalse();
    } finally {
      on.jdbc().sql("drop table claim_on_run").update();
    }
  }

  @Test
  void purgesEachStatusByItsOwnTime() {
    var graph = failing();
    var run = ended(graph, RunStatus.FAILED);
    age(run, 8);

    purge(graph, new OfGraph(DAY, null, DAY, null, null, null));
    assertThat(exists(run)).isTrue();
    purge(graph, new OfGraph(null, WEEK, null, null, null, null));

    assertThat(refused(() -> on.runs().resume(RunActions.resume(run))).code())
        .isEqualTo(ErrorCode.RUN_NOT_FOUND);
  }

  @Test
  void leavesWhatIsActive() {
    var name = fresh("asking");
    on.graphs()
        .add(
            graph(name)
                .node("a", asks(InterruptRequest.of("ask", Value.NULL)))
                .edge("__start__", "a"));
    var run = ended(name, RunStatus.INTERRUPTED);
    age(run, 100);

    purge(name, runs(DAY));

    assertThat(exists(run)).isTrue();
  }

  @Test
  void leavesTheRunWhoseStateAThreadHas() {
    var graph = done();
    var thread = fresh("thread");
    var first = onThread(graph, thread);
    var head = onThread(graph, thread);
    List.of(first, head).forEach(it -> age(it, 8));

    purge(graph, runs(WEEK));

    assertThat(exists(first)).isFalse();
    assertThat(exists(head)).isTrue();
    assertThat(on.log(onThread(graph, thread))).containsExactly("a", "a", "a");
  }

  /// A round for the runs before the last one, another for that.
  @Test
  void endsAnIdleThreadWithItsLastRun() {
    var graph = done();
    var thread = fresh("thread");
    var first = onThread(graph, thread);
    var head = onThread(graph, thread);
    List.of(first, head).forEach(it -> age(it, 8));
    var patient = new OfGraph(DAY, DAY, DAY, Duration.ofDays(9), null, null);
    var policy = new OfGraph(DAY, DAY, DAY, WEEK, null, null);

    purge(graph, patient);
    purge(graph, patient);
    assertThat(exists(head)).isTrue();
    purge(graph, policy);

    assertThat(exists(head)).isFalse();
    assertThat(count("select count(*) from thread where id = ?", thread)).isZero();
  }

  /// A call has made it, so that it goes by its own time, and not with a run.
  @Test
  void leavesAKeptThreadUntilItHasBeenIdleForLong() {
    var graph = done();
    var thread = fresh("thread");
    keep(thread, 8);
    age(onThread(graph, thread), 8);

    purge(graph, new OfGraph(DAY, DAY, DAY, Duration.ofDays(7), null, null));
    assertThat(count("select count(*) from thread where id = ?", thread)).isZero();

    keep(thread, 6);
    age(onThread(graph, thread), 8);
    purge(graph, new OfGraph(DAY, DAY, DAY, Duration.ofDays(7), null, null));
    assertThat(count("select count(*) from run where thread_id = ?", thread)).isZero();
    assertThat(count("select count(*) from thread where id = ?", thread)).isEqualTo(1);
  }

  @Test
  void purgesIdleThreadsThatHaveNoRun() {
    var old = fresh("thread");
    var young = fresh("thread");
    var used = fresh("thread");
    keep(old, 8);
    keep(young, 6);
    keep(used, 8);
    onThread(done(), used);

    job(new RetentionSettings(null, null, null, WEEK, null, 1, 100, Map.of())).takeTurn();

    assertThat(count("select count(*) from thread where id = ?", old)).isZero();
    assertThat(count("select count(*) from thread where id = ?", young)).isEqualTo(1);
    assertThat(count("select count(*) from thread where id = ?", used)).isEqualTo(1);
  }

  /// A thread that a call made so many days ago.
  private void keep(String thread, int days) {
    on.jdbc()
        .sql(
            """
            insert into thread (id, kept, created_at, described_at)
            select :id, true, at, at from (select now() - make_interval(days => :days)) as ago (at)
            """)
        .param("id", thread)
        .param("days", days)
        .update();
  }

  @Test
  void purgesChildrenWithTheRunThatBeganThem() {
    var graph = done();
    var parent = ended(graph, RunStatus.SUCCEEDED);
    var child = ended(graph, RunStatus.SUCCEEDED);
    link(child, parent);
    age(child, 8);

    purge(graph, runs(WEEK));
    assertThat(exists(child)).isTrue();
    age(parent, 8);
    purge(graph, runs(WEEK));

    assertThat(exists(parent)).isFalse();
    assertThat(exists(child)).isFalse();
  }

  @Test
  void leavesAFamilyOfWhichOneHasNotEnded() {
    var graph = done();
    var parent = ended(graph, RunStatus.SUCCEEDED);
    var child = ended(graph, RunStatus.SUCCEEDED);
    link(child, parent);
    List.of(parent, child).forEach(it -> age(it, 8));
    on.jdbc().sql("update run set status = 'interrupted' where id = ?").param(child).update();

    purge(graph, runs(WEEK));

    assertThat(exists(parent)).isTrue();
    assertThat(exists(child)).isTrue();
  }

  /// A statement takes 65 535 parameters at most, and the families of one batch are not bounded by
  /// that: those that could not be erased would be tried for ever, and all behind them kept.
  @Test
  void erasesMoreRunsAtOnceThanAStatementTakesParameters() {
    var run = ended(done(), RunStatus.SUCCEEDED);
    var runs =
        IntStream.range(0, 70_000)
            .mapToObj(it -> "none-" + it)
            .collect(toCollection(ArrayList::new));
    runs.add(run);

    transaction.executeWithoutResult(_ -> eraser.erase(runs));

    assertThat(exists(run)).isFalse();
    assertThat(count("select count(*) from checkpoint where run = ?", run)).isZero();
  }

  @Test
  void weighsARunWithItsFamily() {
    var graph = done();
    var parent = ended(graph, RunStatus.SUCCEEDED);
    var child = ended(done(), RunStatus.SUCCEEDED);
    age(parent, 8);
    int alone = weight(graph);

    link(child, parent);

    assertThat(weight(graph)).isGreaterThan(alone);
  }

  private int weight(String graph) {
    return endedRuns
        .list(graph, RunStatus.SUCCEEDED, WEEK, EndedRuns.EndedPosition.START, 1)
        .getFirst()
        .weight();
  }

  private void link(String child, String parent) {
    on.jdbc()
        .sql(
            """
            insert into child_run (child, parent, root, depth, superstep, node, number, wakes_below)
            values (:child, :parent, :parent, 1, 1, 'a', 1, 1)
            """)
        .param("child", child)
        .param("parent", parent)
        .update();
  }

  /// A step of a task of this superstep.
  private void stepAt(String run, int superstep) {
    on.jdbc()
        .sql(
            """
            insert into task_step (run, task, ordinal, superstep, name, kind, attempt, recorded_at)
            values (:run, 'k' || :superstep, 0, :superstep, 'a', 'once', gen_random_uuid(), now())
            """)
        .param("run", run)
        .param("superstep", superstep)
        .update();
  }

  /// The words are long enough for snapshots in between.
  @Test
  void cutsTheHistoryOfALongRun() {
    var name = fresh("long");
    var chain = graph(name);
    var random = new Random(1);
    var before = "__start__";
    for (int i = 0; i < 12; i++) {
      var words = new StringBuilder();
      random.ints(12_000).forEach(words::append);
      chain.node("n" + i, says(words.toString())).edge(before, "n" + i);
      before = "n" + i;
    }
    on.graphs().add(chain);
    var run = ended(name, RunStatus.SUCCEEDED);
    var whole = on.queries().run(run);
    var log = on.log(run);
    var events = on.events(run);
    long stored = count("select count(*) from checkpoint where run = ?", run);
    stepAt(run, 1);
    stepAt(run, 12);
    age(run, 8);

    purge(name, new OfGraph(null, null, null, null, WEEK, 2));

    assertThat(count("select min(superstep) from task_step where run = ?", run)).isEqualTo(12);
    long left = count("select count(*) from checkpoint where run = ?", run);
    assertThat(left).isBetween(2L, stored - 1);
    assertThat(on.log(run)).isEqualTo(log);
    assertThat(on.queries().run(run).output()).isEqualTo(whole.output());
    assertThat(on.queries().marks(run)).containsKey(new NodeId("n11"));
    assertThat(on.queries().tasks(run, TaskFilter.ALL, Page.Request.first(100)).items())
        .isNotEmpty();
    assertThat(events).endsWith(on.events(run).toArray(String[]::new));
    assertThat(refused(() -> on.queries().state(run, Optional.of(0))).code())
        .isEqualTo(ErrorCode.CHECKPOINT_NOT_FOUND);
    assertThat(meters.counter("superstep.retention.checkpoints.purged").count())
        .isEqualTo((double) (stored - left));
    purge(name, new OfGraph(null, null, null, null, WEEK, 2));
    assertThat(count("select count(*) from checkpoint where run = ?", run)).isEqualTo(left);
    var verified = history.verify(run, Optional.empty(), Optional.empty());
    assertThat(verified.broken()).isEmpty();
    assertThat(verified.notChained()).isZero();
    assertThat((long) verified.checkpoints()).isEqualTo(left);
    assertThat((long) verified.erased()).isEqualTo(stored - left);
    var first = Optional.of(new HistoryHead(0, "0".repeat(64)));
    assertThat(history.verify(run, Optional.empty(), first).broken())
        .containsExactly(new BrokenRow(Damage.MISSING, "head", "0"));
  }

  /// Whoever comes first: a run is either there, whole, or was not found.
  @Test
  void racesWithResumesDeletesAndNewRunsOfTheThread() throws Exception {
    var random = new Random(42);
    var failing = failing();
    var done = done();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 12; round++) {
        var thread = fresh("race");
        var first = onThread(done, thread);
        var second = onThread(done, thread);
        var failed = ended(failing, RunStatus.FAILED);
        List.of(first, second, failed).forEach(it -> age(it, 8));
        var calls = new ArrayList<Callable<Optional<ErrorCode>>>();
        calls.add(() -> tried(() -> on.runs().resume(RunActions.resume(failed))));
        calls.add(() -> tried(() -> onThread(done, thread)));
        calls.add(() -> tried(() -> on.runs().delete(first)));
        calls.add(() -> tried(() -> purge(done, new OfGraph(DAY, DAY, DAY, DAY, null, null))));
        calls.add(() -> tried(() -> purge(failing, runs(DAY))));
        Collections.shuffle(calls, random);

        for (var call : threads.invokeAll(calls)) {
          assertThat(call.get()).isIn(Optional.empty(), Optional.of(ErrorCode.RUN_NOT_FOUND));
        }
        assertThat(on.log(on.threads().summary(thread).lastRun().orElseThrow().id())).isNotEmpty();
        if (exists(failed)) {
          on.await(failed, RunStatus.FAILED);
        }
      }
    }
    assertThat(orphans()).isEmpty();
  }

  private static Optional<ErrorCode> tried(Runnable call) {
    try {
      call.run();
      return Optional.empty();
    } catch (ServiceException e) {
      return Optional.of(e.code());
    }
  }

  private Map<String, Long> orphans() {
    var found = new HashMap<String, Long>();
    Map.of(
            "checkpoints",
            "select count(*) from checkpoint where not exists (select from run where id ="
                + " checkpoint.run)",
            "threads",
            "select count(*) from thread where id like 'race-%' and not kept"
                + " and not exists (select from run where thread_id = thread.id)")
        .forEach((name, query) -> {
          long rows = on.jdbc().sql(query).query(Long.class).single();
          if (rows > 0) {
            found.put(name, rows);
          }
        });
    return found;
  }

  /// What a step costs does not grow with the runs there are.
  @Test
  void findsOverdueRunsByTheIndex() {
    var plan =
        transaction.execute(_ -> {
          on.jdbc().sql("set local enable_seqscan = off").update();
          on.jdbc().sql("set local enable_sort = off").update();
          return String.join(
              "\n",
              on.jdbc()
                  .sql("explain " + EndedRuns.LIST)
                  .param("graph", "g")
                  .param("status", "succeeded")
                  .param("age", 1.0)
                  .param("after", EndedRuns.EndedPosition.START.finishedAt())
                  .param("last", "")
                  .param("limit", 100)
                  .query(String.class)
                  .list());
        });

    assertThat(plan).contains("using run_ended on run").doesNotContain("Sort");
  }
}
