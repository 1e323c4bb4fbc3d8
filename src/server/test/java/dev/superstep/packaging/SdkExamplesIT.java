package dev.superstep.packaging;

import dev.superstep.database.TestDatabase;
import dev.superstep.fault.Installation;
import dev.superstep.fault.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/// The clients under `sdk/`, each as a stranger gets it, at the packaged service.
@TestInstance(Lifecycle.PER_CLASS)
@Order(4)
class SdkExamplesIT {
  private final Replica service;

  SdkExamplesIT(@TempDir Path folder) throws IOException, SQLException {
    service =
        new Replica(
            folder,
            Installation.shared().command(),
            PackagedServiceContract.environment(TestDatabase.environment(TestDatabase.migrated())));
  }

  @BeforeAll
  void starts() {
    service.start();
    service.awaitReady();
  }

  @AfterAll
  void ends() {
    service.close();
  }

  private String url() {
    return "http://127.0.0.1:" + service.port();
  }

  @Test
  void runsTheExamplesOfTheTypeScriptClient() throws Exception {
    Sdk.typescript(url());
  }

  @Test
  void runsTheExamplesOfThePythonClient() throws Exception {
    Sdk.python(url());
  }

  @Test
  void runsTheExamplesOfTheJavaClient() throws Exception {
    Sdk.java(url());
  }
}
