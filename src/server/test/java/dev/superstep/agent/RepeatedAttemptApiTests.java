package dev.superstep.agent;

import static dev.superstep.agent.Announcer.Ending.DONE;
import static dev.superstep.agent.Announcer.Ending.FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.agent.Announcer.Ending;
import dev.superstep.agent.Announcer.Report;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.run.start.Reconciler;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What streams show of the events of a task that takes two attempts: the first one reports `a` and
/// `b` at once, and comes to nothing.
@AgentTest
class RepeatedAttemptApiTests {
  @LocalServerPort int port;
  @Autowired Announcer announcer;
  @Autowired JdbcClient jdbc;
  @Autowired Reconciler reconciler;
  private FaceClient face = new FaceClient(0);

  enum End {
    FAILURE,
    TAKEOVER
  }

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    face.graph(
        """
        name: announces
        channels: { log: { reducer: append } }
        nodes:
          - id: work
            type: function
            config: { function: announcer }
            retry: { max_attempts: 2, initial_interval: 10ms, retry_on: [flaky] }
        edges: [{ from: __start__, to: work }]
        """);
  }

  /// Whoever stays has each event of the task in the end, once; what was said at once and is said
  /// again does not come again.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TAKEOVER | a b c |     | a b c   | a b c
          TAKEOVER | a x   |     | a b x   | a x
          TAKEOVER |       | y z | a b y z | y z
          TAKEOVER | a     | y   | a b y   | a y
          FAILURE  | a b c |     | a b c   | a b c
          FAILURE  | a x   |     | a b x   | a x
          FAILURE  |       | y z | a b y z | y z
          """)
  void showsEachEventOfAFinishedTaskOnce(
      End end, String atOnce, String atEnd, String seen, String stored) {
    var gate = begins(end == End.FAILURE ? FAILED : DONE, Report.of(words(atOnce), words(atEnd)));
    var thread = UUID.randomUUID().toString();
    var runs = "/langgraph/threads/" + thread + "/runs";
    var begin =
        """
        {"assistant_id": "announces", "if_not_exists": "create",
         "stream_mode": ["custom", "values"], "input": {}}\
        """;
    try (var stream = SseClient.post(port, runs + "/stream", begin)) {
      var all = new ArrayList<Message>();
      all.add(stream.until(it -> it.type().equals("metadata")));
      all.add(stream.until(it -> it.type().equals("custom")));
      all.add(stream.until(it -> it.type().equals("custom")));
      ends(end, "thread_id", thread, gate);
      all.addAll(stream.rest());

      assertThat(customs(all)).isEqualTo(words(seen));
      var path = runs + "/" + all.getFirst().text("/run_id") + "/stream";
      var replayed = SseClient.get(port, path, "Last-Event-ID", "-1").rest();
      assertThat(customs(replayed)).isEqualTo(words(stored));
      assertThat(replayed).noneMatch(it -> it.id().isEmpty());
      assertThat(metadata(all)).isEqualTo(metadata(replayed));
      assertThat(metadata(all)).extracting(it -> it.number("/attempt")).isEqualTo(attempts(end));
      if (end == End.TAKEOVER) {
        // What was said before is of the first attempt, what comes behind of the second.
        assertThat(all.get(3).type()).isEqualTo("metadata");
      }
      var last = stream.lastId();
      assertThat(SseClient.get(port, path, "Last-Event-ID", last).rest()).isEmpty();
    }
  }

  private static List<Long> attempts(End end) {
    return end == End.TAKEOVER ? List.of(1L, 2L) : List.of(1L);
  }

  /// Attempts are counted anew behind a takeover.
  @ParameterizedTest
  @CsvSource({"TAKEOVER, 1, 1", "FAILURE, 1, 2"})
  void tellsTheEventsOfOneAttemptFromThoseOfAnother(End end, long first, long second) {
    var gate = begins(end == End.FAILURE ? FAILED : DONE, Report.of(List.of("a", "x"), List.of()));
    var run = "announced-" + UUID.randomUUID();
    var begin = "{\"id\": \"%s\", \"graph\": \"announces\", \"input\": {}}".formatted(run);
    try (var stream = SseClient.post(port, "/v1/runs/stream", begin)) {
      var all = new ArrayList<Message>();
      all.add(stream.until(it -> it.type().equals(CustomEvent.TYPE)));
      all.add(stream.until(it -> it.type().equals(CustomEvent.TYPE)));
      ends(end, "id", run, gate);
      all.addAll(stream.rest());

      var live = all.stream().filter(it -> !it.text("/data/attempt_id").isEmpty()).toList();
      assertThat(live).extracting(it -> it.text("/data/data")).containsExactly("a", "b", "a", "x");
      assertThat(live).extracting(Message::id).containsOnly("");
      assertThat(live)
          .extracting(it -> it.number("/data/attempt"))
          .containsExactly(first, first, second, second);
      var ids = live.stream().map(it -> it.text("/data/attempt_id")).toList();
      assertThat(ids.get(0)).isEqualTo(ids.get(1)).isNotEqualTo(ids.get(2));
      assertThat(ids.get(2)).isEqualTo(ids.get(3));
      var types = all.stream().map(Message::type).toList();
      if (end == End.TAKEOVER) {
        assertThat(types.indexOf("run.taken_over")).isLessThan(all.indexOf(live.get(2)));
      }
      var stored =
          all.stream().filter(it -> it.type().equals(CustomEvent.TYPE) && !it.id().isEmpty());
      assertThat(stored.map(it -> it.text("/data/data"))).containsExactly("a", "x");
    }
  }

  /// Whoever comes again gets what has an id once by that, whatever he has got without.
  @Test
  void showsStoredEventsOnceToOneWhoComesAgain() {
    var gate = begins(DONE, Report.of(List.of("a", "b"), List.of("c")));
    var run = "announced-" + UUID.randomUUID();
    var begin = "{\"id\": \"%s\", \"graph\": \"announces\", \"input\": {}}".formatted(run);
    var got = new ArrayList<Message>();
    String last;
    try (var stream = SseClient.post(port, "/v1/runs/stream", begin)) {
      for (var it = stream.next(); it != null; it = stream.next()) {
        got.add(it);
        if (it.text("/data/data").equals("b")) {
          break;
        }
      }
      last = stream.lastId();
    }
    ends(End.TAKEOVER, "id", run, gate);
    var path = "/v1/runs/" + run + "/stream";
    got.addAll(SseClient.get(port, path, "Last-Event-ID", last).rest());

    var ids = got.stream().map(Message::id).filter(it -> !it.isEmpty()).toList();
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(got)
        .filteredOn(it -> it.type().equals(CustomEvent.TYPE) && !it.id().isEmpty())
        .extracting(it -> it.text("/data/data"))
        .containsExactly("a", "b", "c");
  }

  /// @return opens when the first attempt is to end
  private CountDownLatch begins(Ending ending, Report second) {
    var gate = new CountDownLatch(1);
    announcer.reports(new Report(List.of("a", "b"), gate, List.of(), ending), second);
    return gate;
  }

  private void ends(End end, String column, String value, CountDownLatch gate) {
    if (end == End.TAKEOVER) {
      jdbc.sql(
              "update run set owner = 'dead', lease_epoch = next_epoch(lease_epoch) where %s = ?"
                  .formatted(column))
          .param(value)
          .update();
      await().until(this::isRepeated);
    }
    gate.countDown();
  }

  private boolean isRepeated() {
    reconciler.reconcile();
    return announcer.calls() > 1;
  }

  private static List<String> words(@org.jspecify.annotations.Nullable String text) {
    return text == null ? List.of() : List.of(text.split(" "));
  }

  private static List<String> customs(List<Message> all) {
    return all.stream()
        .filter(it -> it.type().equals("custom"))
        .map(it -> FaceClient.find(it.data(), ""))
        .toList();
  }

  private static List<Message> metadata(List<Message> all) {
    return all.stream().filter(it -> it.type().equals("metadata")).toList();
  }
}
