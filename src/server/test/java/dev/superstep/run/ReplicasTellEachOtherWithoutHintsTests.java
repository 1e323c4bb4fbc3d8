package dev.superstep.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// With polls alone: nobody listens.
class ReplicasTellEachOtherWithoutHintsTests extends ReplicasTellEachOther {
  private static TwoReplicas cluster;
  private static List<ConfigurableApplicationContext> replicas;

  @BeforeAll
  static void startTwo() throws Exception {
    cluster = services("--superstep.hints=false");
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

  /// Stored events arrive by poll; live ones of another replica do not (ADR 0064).
  @Test
  void streamsWhatTheOtherReplicaStores() {
    var name = RunActions.fresh("stored");
    var gate = new CountDownLatch(1);
    cluster.graphs().add(LiveReplicas.speaking(name, gate, "Hello"));
    var run = cluster.on(replicas.getFirst()).start(name);
    try (var here = LiveReplicas.stream(replicas.getFirst(), run, "?type=message.delta");
        var there = LiveReplicas.stream(replicas.getLast(), run, "")) {
      gate.countDown();

      assertThat(there.rest())
          .extracting(Message::type)
          .startsWith("run.created")
          .endsWith("run.succeeded")
          .doesNotContain("message.delta");
      assertThat(SseClient.text(here.rest())).isEqualTo("Hello");
    }
  }
}
