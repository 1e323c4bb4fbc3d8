package dev.superstep.checkpoint;

import dev.superstep.engine.CheckpointStoreContract;
import dev.superstep.engine.StoreBackend;
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
