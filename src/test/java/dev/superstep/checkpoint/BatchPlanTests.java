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
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// Durability, "Speed": what a superstep costs does not grow with the runs there are.
@StoreTest
class BatchPlanTests {
  /// The driver prepares a statement after five executions, the server keeps a plan after five
  /// more.
  private static final int UNTIL_PLANNED = 15;

  @Autowired private BatchStatement batches;

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
