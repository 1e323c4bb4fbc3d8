package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.engine.StoreBackend;
import dev.superstep.engine.checkpoint.CheckpointStoreContract;
import org.springframework.beans.factory.annotation.Autowired;

/// The contract on PostgreSQL.
@StoreTest
class PostgresCheckpointStoreTests extends CheckpointStoreContract {
  @Autowired private PostgresBackend postgres;

  @Override
  protected StoreBackend backend() {
    return postgres;
  }
}
