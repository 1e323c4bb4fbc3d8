package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.schedule.Replica;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestPropertySource;

/// Streams of LangGraph's clients while the database goes back. In a service of its own: all others
/// would begin anew, too.
@ApiTest
@TestPropertySource(properties = "superstep.lease=2s")
class RewoundFaceApiTests {
  private static final String NOT_KNOWN = "";
  private static final int SEQ_SHIFT = 37;

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  @Autowired private Replica replica;
  private Optional<String> left = Optional.empty();
  private FaceClient face = new FaceClient(0);
  private String thread = "";
  private String between = "";

  @BeforeEach
  void asks() {
    face = new FaceClient(port);
    face.graph(FaceGraphs.question("lg-rewound"));
    thread = UUID.randomUUID().toString();
    call("\"input\": {}");
    between = now();
  }

  private String now() {
    return jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toString();
  }

  /// @return the id of the run
  private String call(String members) {
    var body =
        "{\"assistant_id\": \"lg-rewound\", \"if_not_exists\": \"create\", %s}".formatted(members);
    var reply = face.post("/threads/%s/runs/wait".formatted(thread), body).ok();
    return reply.header("Content-Location").replaceAll(".*/", "");
  }

  private String answers() {
    return call("\"command\": {\"resume\": \"yes\"}");
  }

  private int era() {
    return jdbc.sql("select max(era) from database_era").query(Integer.class).single();
  }

  /// Else the next test begins in the era before.
  @AfterEach
  void seesTheLastEra() {
    await().until(() -> replica.id().isPresent() && !replica.id().equals(left));
  }

  /// The database goes back to where it was at `through`.
  private void goBack(String through) {
    left = await().until(replica::id, Optional::isPresent);
    jdbc.sql(
            """
            insert into database_era (era, system_identifier, timeline, valid_through)
            select era + 1, system_identifier, timeline, nullif(?, '')::timestamptz
              from database_era order by era desc limit 1
            """)
        .param(through)
        .update();
  }

  private List<Message> join(String run, String last) {
    var path = "/langgraph/threads/%s/runs/%s/stream".formatted(thread, run);
    try (var stream = SseClient.get(port, path, "Last-Event-ID", last)) {
      return stream.rest();
    }
  }

  private static List<String> types(List<Message> messages) {
    return messages.stream().map(Message::type).toList();
  }

  private static long seq(Message message) {
    return Long.parseLong(message.id().replaceFirst(".*\\.", "")) >>> SEQ_SHIFT;
  }

  /// Also where only a part of what a lost event became was got.
  @Test
  void saysOfARunUpToWhereItIsValid() {
    var run = answers();
    var before = join(run, "-1");
    long valid = seq(before.getFirst());
    var part = before.stream().filter(it -> seq(it) == valid + 1).findFirst().orElseThrow();
    var all = before.getLast();

    goBack(between);

    for (var last : List.of(part, all)) {
      var again = join(run, last.id());
      assertThat(types(again)).startsWith("rewound");
      assertThat(again.getFirst().number("/valid_through")).isEqualTo(valid);
      assertThat(types(again.subList(1, again.size())))
          .isEqualTo(types(before.subList(1, before.size())));
      assertThat(again.getLast().id()).startsWith(era() + ".");
      assertThat(again.getLast().text("/said")).isEqualTo("yes");
      assertThat(types(join(run, again.getLast().id()))).doesNotContain("rewound", "values");
    }
  }

  /// The part of the run before this one does not end the stream.
  @Test
  void tellsAllOfThePartAnewWhereItIsNotKnownWhatIsValid() {
    var run = answers();
    var before = join(run, "-1");

    goBack(NOT_KNOWN);
    var again = join(run, before.getLast().id());

    assertThat(types(again)).startsWith("rewound");
    assertThat(again.getFirst().number("/valid_through")).isZero();
    assertThat(again.getLast().text("/said")).isEqualTo("yes");
  }

  @Test
  void saysNothingToAClientWhoseEventsAreAllThere() {
    var run = answers();
    var before = join(run, "-1");

    goBack(now());
    var again = join(run, before.get(1).id());

    assertThat(types(again)).doesNotContain("rewound");
    assertThat(again.getLast().text("/said")).isEqualTo("yes");
    assertThat(again.getLast().id()).startsWith(era() + ".");
  }

  private SseClient follow(long since) {
    var path = "/langgraph/threads/%s/stream/events".formatted(thread);
    return SseClient.post(
        port,
        path,
        "{\"channels\": [\"values\", \"lifecycle\", \"custom\"], \"since\": %d}".formatted(since));
  }

  private static List<Message> untilCompleted(SseClient stream) {
    var all = new ArrayList<Message>();
    var _ =
        stream.until(it -> {
          all.add(it);
          return it.text("/params/data/event").equals("completed");
        });
    return all;
  }

  private static List<Message> rewound(List<Message> all) {
    return all.stream().filter(it -> it.text("/params/data/name").equals("rewound")).toList();
  }

  @Test
  void saysOfAThreadUpToWhereItIsValidToAClientThatComesAgain() {
    answers();
    List<Message> before;
    try (var stream = follow(0)) {
      before = untilCompleted(stream);
    }
    long last = before.getLast().number("/seq");

    goBack(between);
    try (var stream = follow(last)) {
      var again = untilCompleted(stream);

      assertThat(rewound(again)).hasSize(1);
      assertThat(again.stream().map(it -> it.text("/event_id")))
          .allMatch(it -> it.startsWith(era() + "/"))
          .doesNotHaveDuplicates();
      assertThat(again.getLast().number("/seq")).isNotEqualTo(last);
      last = again.getLast().number("/seq");
    }
    call("\"input\": {}");
    try (var stream = follow(last)) {
      var more = new ArrayList<Message>();
      var _ =
          stream.until(it -> {
            more.add(it);
            return it.text("/params/data/event").equals("interrupted");
          });
      assertThat(rewound(more)).isEmpty();
    }
  }

  @Test
  void writesStatesAgainToAClientThatIsThereWhenItHappens() {
    try (var stream = follow(0)) {
      var _ = stream.until(it -> it.text("/params/data/event").equals("interrupted"));

      goBack(NOT_KNOWN);
      answers();
      var again = untilCompleted(stream);

      assertThat(rewound(again)).hasSize(1);
      assertThat(again.stream().map(it -> it.text("/event_id")))
          .anyMatch(it -> it.matches(era() + "/0:[12]\\.begin"));
    }
  }
}
