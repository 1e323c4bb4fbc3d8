package dev.superstep.run;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.ConfigurableApplicationContext;

/// With hints alone: every poll comes far too late to help.
class ReplicasTellEachOtherWithHintsTests extends ReplicasTellEachOther {
  private static TwoReplicas cluster;
  private static List<ConfigurableApplicationContext> replicas;

  @BeforeAll
  static void startTwo() throws Exception {
    cluster =
        new TwoReplicas(
            "--superstep.poll=1h", "--superstep.news-poll=1h", "--superstep.watch-poll=1h");
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
