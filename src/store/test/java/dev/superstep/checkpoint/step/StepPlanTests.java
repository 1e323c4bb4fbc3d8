package dev.superstep.checkpoint.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoreTest;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.node.CheckpointStore.StepWrite;
import dev.superstep.engine.run.Lease;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// What a step costs does not grow with the runs and steps there are.
@StoreTest
class StepPlanTests {
  /// The driver prepares a statement after five executions, the server keeps a plan after five
  /// more.
  private static final int UNTIL_PLANNED = 12;

  /// Planning looks up the ends of indexes, which counts as reading rows.
  private static final long PLANNING = 8;

  @Autowired private StepWriter writer;

  @Autowired
  @Qualifier(Pools.COMMITS)
  private DataSource pool;

  @ParameterizedTest
  @CsvSource({"0, false", "100, true", "20000, false", "20000, true"})
  void readsRowsOfItsStepAlone(int before, boolean analyzed) {
    new TransactionTemplate(new JdbcTransactionManager(pool))
        .executeWithoutResult(status -> {
          status.setRollbackOnly();
          var connection = JdbcClient.create(pool);
          connection.sql("lock table run, task_step in share update exclusive mode").update();
          fill(connection, "before", before);
          if (analyzed) {
            connection.sql("analyze run, task_step").update();
          }
          for (int i = 0; i < UNTIL_PLANNED; i++) {
            assertThat(writer.write(step("absent", i))).isFalse();
          }
          fill(connection, "after", 20_000);
          connection
              .sql(
                  """
                  insert into run (id, graph, version, status, ordinal, owner, lease_epoch, checkpoint)
                  values ('own', 'g', 1, 'running', 0, 'me', 1, 0)
                  """)
              .update();

          long rows = rowsRead(connection);
          var batch = step("own", 0);
          assertThat(writer.write(batch)).isTrue();

          assertThat(batch.isRecorded()).isTrue();
          assertThat(rowsRead(connection) - rows).isBetween(1L, 4L + PLANNING);
        });
  }

  private static StepBatch step(String run, int ordinal) {
    var end = new StepRecord.StepEnd.StepResult(Value.of("item"));
    var step = new StepRecord(ordinal, "a", StepRecord.StepKind.RUN, Optional.of(end));
    var write = new StepWrite(0, "k", UUID.randomUUID(), Share.NOBODYS, List.of(step));
    return new StepBatch(new Lease(run, 1), write);
  }

  /// Runs of others, each with a step.
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
            insert into task_step
                   (run, task, ordinal, superstep, name, kind, attempt, content, recorded_at)
            select ? || n, 'k', 0, 1, 'a', 'run', gen_random_uuid(), '', now()
              from generate_series(1, ?) as n
            """)
        .params(name, count)
        .update();
  }

  /// In this transaction.
  private static long rowsRead(JdbcClient connection) {
    return connection
        .sql(
            """
            select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))
              from pg_stat_xact_user_tables where relname in ('run', 'task_step')
            """)
        .query(Long.class)
        .single();
  }
}
