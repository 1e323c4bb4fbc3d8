package dev.superstep.run;

import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.TextHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// With hints alone: every poll comes far too late to help.
class ReplicasTellEachOtherWithHintsTests extends ReplicasTellEachOther {
  private static TwoReplicas cluster;
  private static List<ConfigurableApplicationContext> replicas;

  @BeforeAll
  static void startTwo() throws Exception {
    cluster =
        services(
            "--superstep.poll=1h",
            "--superstep.news-poll=1h",
            "--superstep.watch-poll=1h",
            "--superstep.streams.heartbeat=200ms",
            "--superstep.streams.pending-max=64KB");
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

  /// Live events of a run that the other replica drives, before the commit they lead to, which
  /// waits for them here: one that overtakes them would have them left out.
  @Test
  void streamsWhatIsSaidOnTheOtherReplica() {
    var name = RunActions.fresh("said");
    var gate = new CountDownLatch(1);
    var heard = new CountDownLatch(1);
    NodeRunner speaker =
        call -> {
          gate.await();
          var said = TestGraphs.speaks(call, "Hello ", "\"Zoë\"", " 😀\n");
          heard.await();
          return said;
        };
    cluster.graphs().add(graph(name).node("a", speaker).edge("__start__", "a"));
    var run = cluster.on(replicas.getFirst()).start(name);
    try (var stream = LiveReplicas.stream(replicas.getLast(), run, "")) {
      await().until(() -> TwoReplicas.isHeardElsewhere(replicas.getFirst(), run));
      gate.countDown();
      var all = new ArrayList<Message>();
      while (!SseClient.text(all).equals("Hello \"Zoë\" 😀\n")) {
        all.add(stream.until(_ -> true));
      }
      heard.countDown();
      all.addAll(stream.rest());

      assertThat(SseClient.text(all)).isEqualTo("Hello \"Zoë\" 😀\n");
      assertThat(all)
          .extracting(Message::type)
          .containsSubsequence(
              "run.created", "message.delta", "superstep.committed", "run.succeeded");
      assertThat(stream.lastId()).isEqualTo(all.getLast().id());
    }
    await().until(() -> !TwoReplicas.isHeardElsewhere(replicas.getFirst(), run));
  }

  /// Whoever comes in the middle of a text gets all of it, and the reader before it no more than it
  /// lacks; on the driver's replica and on the other one.
  @Test
  void givesTheTextSoFarToReadersOfTheOtherReplica() throws Exception {
    var name = RunActions.fresh("middle");
    var begin = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var heard = new CountDownLatch(1);
    NodeRunner speaker =
        call -> {
          begin.await();
          var text = call.watchers().begin(Optional.of("m-1"));
          text.append("Hello 😀");
          goOn.await();
          text.append(", Zoë");
          heard.await();
          return log("spoken");
        };
    cluster.graphs().add(graph(name).node("a", speaker).edge("__start__", "a"));
    var run = cluster.on(replicas.getFirst()).start(name);
    try (var first = LiveReplicas.stream(replicas.getLast(), run, "")) {
      await().until(() -> TwoReplicas.isHeardElsewhere(replicas.getFirst(), run));
      begin.countDown();
      assertThat(nextText(first)).isEqualTo("0 Hello 😀");
      try (var second = LiveReplicas.stream(replicas.getLast(), run, "");
          var third = LiveReplicas.stream(replicas.getFirst(), run, "")) {
        assertThat(nextText(second)).isEqualTo("0 Hello 😀");
        assertThat(nextText(third)).isEqualTo("0 Hello 😀");
        goOn.countDown();

        assertThat(nextText(second)).isEqualTo("7 , Zoë");
        assertThat(nextText(third)).isEqualTo("7 , Zoë");
        assertThat(nextText(first)).isEqualTo("7 , Zoë");
        heard.countDown();
        assertThat(SseClient.text(second.rest())).isEmpty();
      }
      assertThat(SseClient.text(first.rest())).isEmpty();
    }
  }

  private static String nextText(SseClient stream) {
    var delta = stream.until(it -> it.type().equals(MessageDelta.TYPE));
    assertThat(delta.text("/data/message_id")).isEqualTo("m-1");
    return delta.number("/data/offset") + " " + delta.text("/data/text");
  }

  /// api.md: a comment says that a silent stream is alive.
  @Test
  void saysThatASilentStreamIsAlive() throws Exception {
    var name = RunActions.fresh("silent");
    var gate = new CountDownLatch(1);
    cluster.graphs().add(LiveReplicas.speaking(name, gate, "late"));
    var run = cluster.on(replicas.getFirst()).start(name);
    try (var socket = new SlowSocket(LiveReplicas.port(replicas.getFirst()), run)) {
      socket.until("run.started", "\r\n:\n\n", "\r\n:\n\n");
      gate.countDown();
      socket.until("run.succeeded");
    }
  }

  /// A slow reader is cut off, is told so, and goes on where it was.
  @Test
  void cutsOffAReaderThatIsTooSlowAndLetsItComeAgain() throws Exception {
    var name = RunActions.fresh("slow");
    var gate = new CountDownLatch(1);
    var words = "x".repeat(200);
    NodeRunner speaker =
        call -> {
          gate.await();
          var head = new TextHead(1, "t-1", Optional.empty());
          for (int i = 0; i < 40_000; i++) {
            // with holes between them, so that they do not grow together
            var delta = MessageDelta.next(head, i * 1_000L, words);
            call.watchers().publish(MessageDelta.TYPE, delta.data());
          }
          return log("spoken");
        };
    cluster.graphs().add(graph(name).node("a", speaker).edge("__start__", "a"));
    var run = cluster.on(replicas.getFirst()).start(name);
    try (var socket = new SlowSocket(LiveReplicas.port(replicas.getFirst()), run)) {
      socket.until("run.started");
      gate.countDown();
      // nobody reads, and the run does not mind
      cluster.on(replicas.getFirst()).await(run, RunStatus.SUCCEEDED);

      socket.until("event: stream.cut", "\"reason\":\"slow_reader\"");
    }
    try (var rest = LiveReplicas.stream(replicas.getLast(), run, "", "Last-Event-ID", "2")) {
      var all = rest.rest();
      assertThat(all.getFirst().id()).isEqualTo("3");
      assertThat(all.getLast().type()).isEqualTo("run.succeeded");
    }
  }
}
