package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoreTest;
import dev.superstep.checkpoint.row.EncodedCheckpoint.ChainEnd;
import dev.superstep.database.Pools;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.run.Lease;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// Durability, "Speed": what a superstep costs does not grow with the runs there are.
@StoreTest
class BatchPlanTests {
  /// The driver prepares a statement after five executions, the server keeps a plan after five
  /// more.
  private static final int UNTIL_PLANNED = 15;

  private static final int BATCH = 8;
  private static final int AFTER = 20_000;

  /// A statement may be planned again at any moment, when the server forgets all plans for what
  /// others do. Planning looks up the ends of indexes, which counts as reading rows.
  private static final long PLANNING = 8;

  @Autowired private BatchStatement batches;
  @Autowired private GroupRecord records;
  @Autowired private DataSource primary;
  @Autowired private EntityManagerFactory entities;

  @Autowired
  @Qualifier(Pools.COMMITS)
  private DataSource pool;

  enum Statistics {
    UNKNOWN,
    ANALYZED
  }

  /// Those that were made before the tables grew.
  enum Plans {
    KEPT,
    FORGOTTEN
  }

  enum Settings {
    OF_THE_POOL,
    /// As behind a pooler that keeps back those of sessions: no plan is kept there.
    OF_THE_SERVER
  }

  /// A scan of a whole index counts as an index scan, so what counts are the rows that are read.
  @ParameterizedTest
  @CsvSource({
    "0, UNKNOWN, KEPT, OF_THE_POOL",
    "100, UNKNOWN, KEPT, OF_THE_POOL",
    "100, ANALYZED, KEPT, OF_THE_POOL",
    "100, ANALYZED, FORGOTTEN, OF_THE_POOL",
    "20000, UNKNOWN, KEPT, OF_THE_POOL",
    "20000, ANALYZED, KEPT, OF_THE_POOL",
    "20000, ANALYZED, FORGOTTEN, OF_THE_POOL",
    "0, UNKNOWN, FORGOTTEN, OF_THE_SERVER",
    "100, ANALYZED, FORGOTTEN, OF_THE_SERVER",
    "20000, ANALYZED, FORGOTTEN, OF_THE_SERVER"
  })
  void readsRowsOfItsBatchAloneWhateverTheTablesHeldWhenItWasPlanned(
      int before, Statistics statistics, Plans plans, Settings settings) {
    var transaction = new TransactionTemplate(new JdbcTransactionManager(pool));

    transaction.executeWithoutResult(status -> {
      status.setRollbackOnly();
      var connection = JdbcClient.create(pool);
      // Keeps the server from analyzing the tables meanwhile, of which it would see nothing.
      connection.sql("lock table run, recorded_task in share update exclusive mode").update();
      if (settings == Settings.OF_THE_SERVER) {
        useSettingsOfTheServer(connection);
      }
      fill(connection, "before", before);
      if (statistics == Statistics.ANALYZED) {
        connection.sql("analyze run, recorded_task").update();
      }
      for (int i = 0; i < UNTIL_PLANNED; i++) {
        batches.execute(List.of(plainCommit("absent", i)));
        batches.execute(List.of(plainCommit("absent", i), plainCommit("missing", i)));
        batches.executeWaiting(plainCommit("absent", i));
        batches.execute(List.of(chain("absent-" + i)));
        records.write(outcome(SampleRun.of("absent-" + i)));
      }
      fill(connection, "after", AFTER);
      var runBatches = IntStream.range(0, BATCH).mapToObj(it -> plainCommit("own", it)).toList();
      runBatches.forEach(it -> insert(connection, it));
      var run = SampleRun.of("records");
      var lone = plainCommit(run);
      insert(connection, lone);
      var outcome = outcome(run);
      var waiting = plainCommit("waiting", 0);
      insert(connection, waiting);
      var chain = chain("chain");
      insert(connection, chain);
      if (plans == Plans.FORGOTTEN) {
        connection.sql("discard plans").update();
      }

      long rows = rowsRead(connection);
      batches.execute(runBatches);
      long commits = rowsRead(connection);
      batches.execute(List.of(lone));
      long loneCommit = rowsRead(connection);
      assertThat(records.write(outcome)).isTrue();
      long outcomes = rowsRead(connection);
      batches.executeWaiting(waiting);
      long waitingCommit = rowsRead(connection);
      batches.execute(List.of(chain));
      long chainCommit = rowsRead(connection);

      assertThat(runBatches).allMatch(it -> it.writtenAt().isPresent());
      assertThat(List.of(lone, waiting, chain)).allMatch(it -> it.writtenAt().isPresent());
      assertThat(commits - rows).isBetween((long) BATCH, 3L * BATCH + PLANNING);
      assertThat(loneCommit - commits).isBetween(1L, 3L + PLANNING);
      assertThat(outcomes - loneCommit).isBetween(1L, 3L + PLANNING);
      assertThat(waitingCommit - outcomes).isBetween(1L, 3L + PLANNING);
      assertThat(chainCommit - waitingCommit).isBetween(1L, 3L + PLANNING);
    });
  }

  private static void useSettingsOfTheServer(JdbcClient connection) {
    connection
        .sql(
            """
            select set_config(name, boot_val, true) from pg_settings
            where name in ('plan_cache_mode', 'enable_seqscan', 'random_page_cost')
            """)
        .query(String.class)
        .list();
  }

  /// Runs of others, each with a recorded outcome.
  private static void fill(JdbcClient connection, String name, int count) {
    connection
        .sql(
            """
            insert into run (id, graph, version, status, ordinal)
            select ? || n, 'g', 1, 'queued', 0 from generate_series(1, ?) as n
            """)
        .params(name, count)
        .update();
    connection
        .sql(
            """
            insert into recorded_task
            select ? || n, 1, 'a', 0, 1, '', now() from generate_series(1, ?) as n
            """)
        .params(name, count)
        .update();
  }

  private static void insert(JdbcClient connection, PlainCommit plainCommit) {
    connection
        .sql(
            """
            insert into run (id, graph, version, status, ordinal, owner, lease_epoch, checkpoint)
            values (?, 'g', 1, 'running', 0, 'me', ?, ?)
            """)
        .params(plainCommit.lease().run(), plainCommit.lease().epoch(), plainCommit.parent())
        .update();
  }

  /// Of the tables that the statements find by key, in this transaction.
  private static long rowsRead(JdbcClient connection) {
    return connection
        .sql(
            """
            select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))
              from pg_stat_xact_user_tables where relname in ('run', 'recorded_task')
            """)
        .query(Long.class)
        .single();
  }

  /// Planning takes longer than executing.
  @Test
  void isPlannedOnce() {
    var transaction = new TransactionTemplate(new JdbcTransactionManager(pool));

    transaction.executeWithoutResult(_ -> {
      for (int i = 0; i < UNTIL_PLANNED; i++) {
        batches.execute(List.of(plainCommit("unknown", i)));
        batches.execute(List.of(plainCommit("unknown", i), plainCommit("missing", i)));
      }
      assertThat(
              JdbcClient.create(pool)
                  .sql(
                      """
                      select coalesce(sum(custom_plans), -1) from pg_prepared_statements
                      where statement like 'with locked%' and generic_plans > 0
                      """)
                  .query(Long.class)
                  .single())
          .isZero();
    });
  }

  /// A plan that compares each run of a batch with each grows with the square of the batch.
  /// Connections through a pooler have the costs of the server.
  @Test
  void joinsByHashWithTheCostsOfTheServer() throws SQLException {
    try (var connection = primary.getConnection()) {
      var single = new SingleConnectionDataSource(connection, true);
      var jdbc = JdbcClient.create(single);
      jdbc.sql("set plan_cache_mode = force_generic_plan").update();
      jdbc.sql("set random_page_cost = 4").update();
      for (int i = 0; i < UNTIL_PLANNED; i++) {
        new BatchStatement(single, entities)
            .execute(List.of(plainCommit("unknown", i), plainCommit("missing", i)));
      }

      assertThat(plan(jdbc))
          .containsPattern("Hash Cond: .*given.run.* = locked.id")
          .containsPattern("Hash Cond: .*row.*place = head.*place");
      jdbc.sql("reset plan_cache_mode").update();
      jdbc.sql("reset random_page_cost").update();
    }
  }

  /// That of the statement as the driver has prepared it.
  private static String plan(JdbcClient jdbc) {
    var execution =
        jdbc.sql(
                """
                select format('explain execute %I (%s)', name,
                              array_to_string(array_fill('null'::text, array[cardinality(parameter_types)]), ', '))
                from pg_prepared_statements where statement like 'with locked%'
                """)
            .query(String.class)
            .single();
    return String.join("\n", jdbc.sql(execution).query(String.class).list());
  }

  private static OutcomeBatch outcome(SampleRun run) {
    return new OutcomeBatch(
        new Lease(run.id(), 1), List.of(run.done(run.task(SampleRun.A), "item")));
  }

  /// Two checkpoints behind one another.
  private static PlainCommit chain(String name) {
    var run = SampleRun.of(name);
    return new PlainCommit(
        new Lease(run.id(), 1),
        List.of(run.step("item"), run.step("item")),
        new ChainEnd(new ReplayCost(0, 100, 0), null),
        SnapshotPolicy.Outcomes.PERHAPS);
  }

  private static PlainCommit plainCommit(String name, int number) {
    return plainCommit(SampleRun.of(name + "-" + number));
  }

  private static PlainCommit plainCommit(SampleRun run) {
    return new PlainCommit(
        new Lease(run.id(), 1),
        List.of(run.step("item")),
        new ChainEnd(new ReplayCost(0, 100, 0), null),
        SnapshotPolicy.Outcomes.PERHAPS);
  }
}
