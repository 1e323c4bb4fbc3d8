package dev.superstep.run;

import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;

import dev.superstep.http.SseClient;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.ConfigurableApplicationContext;

/// Runs that speak, and clients of other replicas that listen.
final class LiveReplicas {
  private LiveReplicas() {}

  static int port(ConfigurableApplicationContext replica) {
    return replica.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  static SseClient stream(
      ConfigurableApplicationContext replica, String run, String query, String... headers) {
    return SseClient.get(port(replica), "/v1/runs/%s/stream%s".formatted(run, query), headers);
  }

  /// `a` waits for the gate and says these words; `b` follows.
  static TestGraphs.Builder speaking(String name, CountDownLatch gate, String... words) {
    return graph(name)
        .node(
            "a",
            call -> {
              gate.await();
              return TestGraphs.speaks(call, words);
            })
        .node("b", _ -> log("b"))
        .edge("__start__", "a")
        .edge("a", "b");
  }
}
