package dev.superstep.run;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;

/// With polls alone: nobody listens.
class ReplicasTellEachOtherWithoutHintsTests extends ReplicasTellEachOther {
  private static TwoReplicas cluster;
  private static List<ConfigurableApplicationContext> replicas;

  @BeforeAll
  static void startTwo() throws Exception {
    cluster = new TwoReplicas("--superstep.hints=false");
    replicas = cluster.startTwo();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Override
  List<ConfigurableApplicationContext> replicas() {
    return replicas;
  }

  @Override
  TwoReplicas cluster() {
    return cluster;
  }
}
