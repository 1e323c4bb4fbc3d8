package dev.superstep.run;

import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.http.SseClient;
import dev.superstep.run.stream.LiveEventRelay;
import java.util.Optional;
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

  /// Whether the replica knows that somebody elsewhere listens to the run.
  static boolean isHeardElsewhere(ConfigurableApplicationContext replica, String run) {
    return replica.getBean(LiveEventRelay.class).watches(run);
  }

  /// `a` waits for the gate and says these words; `b` follows.
  static TestGraphs.Builder speaking(String name, CountDownLatch gate, String... words) {
    return graph(name)
        .node(
            "a",
            call -> {
              gate.await();
              return say(call, words);
            })
        .node("b", _ -> log("b"))
        .edge("__start__", "a")
        .edge("a", "b");
  }

  static Outcome say(NodeCall call, String... words) {
    var text = call.watchers().begin(Optional.empty());
    for (var word : words) {
      text.append(word);
    }
    return log(String.join("", words));
  }
}
