package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.commit.BatchStatement;
import dev.superstep.checkpoint.commit.PlainCommit;
import dev.superstep.checkpoint.commit.RunBatch;
import dev.superstep.checkpoint.row.EncodedCheckpoint;
import dev.superstep.checkpoint.row.ReplayCost;
import dev.superstep.checkpoint.row.SnapshotPolicy;
import dev.superstep.database.Pools;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.run.Lease;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
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

  @Autowired private BatchStatement batches;
  @Autowired private DataSource primary;
  @Autowired private EntityManagerFactory entities;

  @Autowired
  @Qualifier(Pools.COMMITS)
  private DataSource pool;

  @Test
  void findsRunsByKeyThoughThePlanWasMadeForASmallTable() {
    var transaction = new TransactionTemplate(new JdbcTransactionManager(pool));

    transaction.executeWithoutResult(_ -> {
      var runBatches = IntStream.range(0, 8).mapToObj(BatchPlanTests::strand).toList();
      for (int i = 0; i < UNTIL_PLANNED; i++) {
        batches.execute(runBatches);
      }
      assertThat(scans("idx_scan")).isPositive();
      assertThat(scans("seq_scan")).isZero();
    });
  }

  /// Planning takes longer than executing.
  @Test
  void isPlannedOnce() {
    var transaction = new TransactionTemplate(new JdbcTransactionManager(pool));

    transaction.executeWithoutResult(_ -> {
      for (int i = 0; i < UNTIL_PLANNED; i++) {
        batches.execute(List.of(strand(i)));
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

  /// A plan that compares each run of a batch with each grows with the square of the batch. The
  /// connections of the primary pool have the costs of the server, like those through a pooler.
  @Test
  void joinsByHashWithTheCostsOfTheServer() throws SQLException {
    try (var connection = primary.getConnection()) {
      var single = new SingleConnectionDataSource(connection, true);
      var jdbc = JdbcClient.create(single);
      jdbc.sql("set plan_cache_mode = force_generic_plan").update();
      for (int i = 0; i < UNTIL_PLANNED; i++) {
        new BatchStatement(single, entities).execute(List.of(strand(i)));
      }

      assertThat(plan(jdbc))
          .containsPattern("Hash Cond: .*given.run.* = locked.id")
          .containsPattern("Hash Cond: .*row.*place = head.*place");
      jdbc.sql("reset plan_cache_mode").update();
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

  /// In this transaction.
  private long scans(String kind) {
    return JdbcClient.create(pool)
        .sql("select %s from pg_stat_xact_user_tables where relname = 'run'".formatted(kind))
        .query(Long.class)
        .single();
  }

  private static RunBatch strand(int number) {
    var run = SampleRun.of("unknown-" + number);
    var commit = run.step("item");
    var encodedCheckpoint =
        EncodedCheckpoint.of(commit.checkpoint().orElseThrow(), new ReplayCost(0, 100, 0));
    return new RunBatch(
        new Lease(run.id(), 1),
        List.of(PlainCommit.of(commit, encodedCheckpoint, SnapshotPolicy.Outcomes.PERHAPS)));
  }
}
