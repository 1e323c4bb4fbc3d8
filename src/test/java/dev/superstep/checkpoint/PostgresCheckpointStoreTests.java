package dev.superstep.checkpoint;

import dev.superstep.engine.CheckpointStoreContract;
import dev.superstep.engine.StoreBackend;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/// The contract on PostgreSQL; Hibernate checks the mapping of every table against the migration.
@SpringBootTest(
    classes = StoreTestConfiguration.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = "spring.jpa.hibernate.ddl-auto=validate")
class PostgresCheckpointStoreTests extends CheckpointStoreContract {
  @Autowired private PostgresBackend postgres;

  @Override
  protected StoreBackend backend() {
    return postgres;
  }
}
