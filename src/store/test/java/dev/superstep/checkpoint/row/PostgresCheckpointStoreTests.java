package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.StoreBackend;
import dev.superstep.engine.checkpoint.CheckpointStoreContract;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// The contract on PostgreSQL.
@StoreTest
class PostgresCheckpointStoreTests extends CheckpointStoreContract {
  @Autowired private PostgresBackend postgres;

  @Override
  protected StoreBackend backend() {
    return postgres;
  }

  /// I14
  @Test
  void commitsNothingWithAMessageThatDoesNotWait() {
    var run = SampleRun.of("run-" + UUID.randomUUID());
    postgres.start(run.header, run.first());
    var lease = postgres.claim(run.id(), run.graph).lease();
    var task = run.task(SampleRun.A);
    var unsent = new TaskKey(task.superstep(), NodeId.INBOX, "unsent");
    var takes = run.step(run.done(task, "one"), run.done(unsent, "x"));

    assertThatThrownBy(() -> postgres.store().commit(lease, takes))
        .isInstanceOf(IllegalStateException.class);

    assertThat(postgres.claim(run.id(), run.graph).checkpoint().number()).isZero();
  }
}
