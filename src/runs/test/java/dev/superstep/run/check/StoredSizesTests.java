package dev.superstep.run.check;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunTest;
import dev.superstep.run.RunsAlone.TestCallers;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/// What is stored of runs, as the database sees it.
@RunTest
class StoredSizesTests {
  @Autowired private RunActions on;
  @Autowired private StoredSizes sizes;
  @Autowired private TransactionOperations transaction;
  private final String caller = fresh("caller");
  private String graph = "";

  @BeforeEach
  void adds() {
    graph = fresh("sizes");
    on.graphs()
        .add(
            graph(graph)
                .node("a", says("a"))
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "b"));
  }

  private long counted() {
    return counted("default", caller);
  }

  private long counted(String tenant, String by) {
    return sizes.count().getOrDefault(new Share(tenant, by), 0L);
  }

  /// As if nothing had been counted before.
  private long countedAnew() {
    on.jdbc().sql("delete from stored_size").update();
    return counted();
  }

  private String run(int bytes) {
    var noise = new StringBuilder();
    new Random(bytes).ints(bytes, 'a', 'z').forEach(it -> noise.append((char) it));
    var input = ObjectValue.of("note", Value.of(noise.toString()));
    return TestCallers.as(caller, () -> on.runs().start(request(graph, input)).run());
  }

  @Test
  void countsWhatRunsHaveAppendedSinceTheLastCount() {
    var run = run(200_000);
    long early = counted();
    on.await(run, RunStatus.SUCCEEDED);

    long after = counted();

    assertThat(after).isBetween(100_000L, 1_000_000L);
    assertThat(after).isGreaterThanOrEqualTo(early).isEqualTo(counted()).isEqualTo(countedAnew());
  }

  /// Long after it has begun, when it is not among the newest runs any more.
  @Test
  void countsWhatAnOldRunHasAppended() {
    var run = run(200_000);
    on.await(run, RunStatus.SUCCEEDED);
    long whole = counted();
    on.await(TestCallers.as(fresh("other"), () -> on.start(graph)), RunStatus.SUCCEEDED);
    var _ = counted();
    var age = "created_at = created_at - interval '10 minutes'";
    on.jdbc().sql("update run set " + age + " where id = ?").param(run).update();
    on.jdbc()
        .sql(
            "update stored_size set checkpoints = 0, events = 0, appended = 1000, ended = false, "
                + age
                + " where run = ?")
        .param(run)
        .update();

    assertThat(counted()).isBetween(1_100L, whole);
  }

  @Test
  void countsMessagesThatWait() {
    var run = run(10);
    on.await(run, RunStatus.SUCCEEDED);
    rests(run, "interrupted");
    long before = counted();
    var noise = new byte[50_000];
    new Random(1).nextBytes(noise);

    on.jdbc()
        .sql(
            """
            insert into run_message (run, seq, id, said, channel, value, if_ended, sent_at)
            values (?, 1, 'm', '', 'note', ?, 'reject', now())
            """)
        .params(run, noise)
        .update();

    assertThat(counted()).isGreaterThan(before + noise.length).isEqualTo(countedAnew());
    rests(run, "succeeded");
  }

  private void rests(String run, String status) {
    on.jdbc().sql("update run set status = ? where id = ?").params(status, run).update();
  }

  @Test
  void countsNoMoreWhatWasDeleted() {
    var run = run(200_000);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(counted()).isGreaterThan(100_000);

    on.runs().delete(run);

    assertThat(counted()).isZero();
  }

  @Test
  void countsVersionsOfGraphsWithTheirText() {
    on.jdbc().sql("insert into graph values (?, 3, 2, now())").param(graph + "-stored").update();
    insertVersion(1, caller);
    assertThat(counted()).isBetween(2_700L, 3_500L);
    insertVersion(2, caller);
    insertVersion(3, fresh("other"));
    assertThat(counted()).isBetween(5_400L, 7_000L);

    var byNobody = counted("default", "");
    insertVersion(4, null);
    assertThat(counted("default", "") - byNobody).isBetween(2_700L, 3_500L);
  }

  /// Whatever holds them.
  @Test
  void countsToTheTenantThatHasIt() {
    on.jdbc()
        .sql(
            """
            with inserted as (
              insert into run (id, graph, version, status, caller, created_at)
              select tenant || '/' || :caller, tenant || '/none', 1, 'cancelled', :caller, now()
                from unnest(array['acme', 'globex']) as tenant
              returning id
            ), described as (
              insert into thread (id, described_by) values ('globex/' || :caller, :caller)
            ), named as (
              insert into graph values ('acme/' || :caller, 2, 1, now())
            ), posted as (
              insert into graph_version
                     (graph, version, hash, definition, warnings, created_at, created_by)
              select 'acme/' || :caller, 1, '', :text, :text, now(), :caller
            )
            insert into run_input (run, input) select id, '{}' from inserted
            """)
        .param("caller", caller)
        .param("text", "x".repeat(900))
        .update();

    assertThat(counted("globex", caller)).isBetween(StoredSizes.RUN_BYTES + 200L, 1_500L);
    assertThat(counted("acme", caller)).isBetween(StoredSizes.RUN_BYTES + 2_000L, 4_000L);
    assertThat(counted()).isZero();
    on.jdbc().sql("delete from run where caller = ?").param(caller).update();
    on.jdbc().sql("delete from thread where described_by = ?").param(caller).update();
  }

  private void insertVersion(int version, @Nullable String by) {
    on.jdbc()
        .sql(
            """
            with inserted as (
              insert into graph_version (graph, version, hash, definition, warnings, created_at, created_by)
              values (:graph, :version, '', :text, :text, now(), :by)
              returning graph, version
            )
            insert into graph_source select graph, version, 'JSON', :text, now() from inserted
            """)
        .param("graph", graph + "-stored")
        .param("version", version)
        .param("text", "x".repeat(900))
        .param("by", by)
        .update();
  }

  /// A call that holds the lock of a run may wait for the count.
  @Test
  void waitsForNoCallThatHasLockedARun() {
    var run = run(1);
    on.await(run, RunStatus.SUCCEEDED);

    transaction.executeWithoutResult(_ -> {
      on.jdbc().sql("select id from run where id = ? for update").param(run).query().singleRow();
      assertThat(CompletableFuture.supplyAsync(this::counted))
          .succeedsWithin(Duration.ofSeconds(20))
          .isEqualTo(0L);
    });

    assertThat(counted()).isPositive();
  }

  @Test
  void countsMoreRunsThanItLooksAtInATransaction() {
    on.jdbc()
        .sql(
            """
            with inserted as (
              insert into run (id, graph, version, status, caller, created_at)
              select 'slices-' || it, 'none', 1, 'cancelled', ?, now() from generate_series(1, 1700) it
              returning id
            )
            insert into run_input (run, input) select id, '{}' from inserted
            """)
        .param(caller)
        .update();

    assertThat(counted()).isGreaterThan(1_700L * StoredSizes.RUN_BYTES);

    on.jdbc().sql("delete from run where caller = ?").param(caller).update();
    assertThat(counted()).isZero();
  }
}
