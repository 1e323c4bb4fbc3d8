package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Announcer.Report;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.json.Json;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.model.stub.Reply;
import dev.superstep.run.start.Reconciler;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What each node type shows in each mode of the second face's streams: what LangGraph's own server
/// shows of a node that does the same, live, joined and replayed behind each event, undisturbed and
/// when its drivers die.
@AgentTest
class NodeTypeStreamApiTests {
  private static final List<String> MODES =
      List.of(
          "values",
          "updates",
          "messages-tuple",
          "messages",
          "tasks",
          "checkpoints",
          "debug",
          "custom");

  /// Streams are replayed behind one of so many events; with 1 behind each.
  private static final int EACH = Integer.getInteger("superstep.replays.each", 8);

  private static final String GRAPH =
      """
      name: kinds
      channels: { messages: { reducer: messages }, log: { reducer: append } }
      nodes:
        - { id: work, type: WORK }
        - { id: last, type: expression, config: { update: { log: [last] } } }
      edges:
        - { from: __start__, to: work }
        - { from: work, to: last }
      """;

  /// Tasks of a superstep beside each other.
  private static final Map<String, String> TASKS =
      Map.of(
          "sends",
          """
          name: kinds
          channels: { log: { reducer: append } }
          nodes:
            - { id: work, type: expression, config: { dispatch: "{{ fan_out('one', ['x', 'y'], 'word') }}" }, targets: [one] }
            - { id: one, type: expression, config: { update: { log: ["{{ input.word }}"] } }, next: last }
            - { id: last, type: expression, config: { update: { log: [last] } } }
          edges: [{ from: __start__, to: work }]
          """,
          "beside",
          """
          name: kinds
          channels: { log: { reducer: append } }
          nodes:
            - { id: left, type: expression, config: { update: { log: [left] } } }
            - { id: quiet, type: expression, config: { update: {} } }
            - { id: right, type: human, config: { payload: { q: right }, result: { update: { log: ["{{ response }}"] } } } }
            - { id: last, type: expression, config: { update: { log: [last] } } }
          edges:
            - { from: __start__, to: [left, quiet, right] }
            - { from: [left, quiet, right], to: last }
          """);

  private static final String NODES =
      """
      sends   | tasks
      beside  | tasks
      writes  | expression, config: { update: { log: [work] } }
      nothing | expression, config: { update: {} }
      tells   | expression, config: { update: { log: [work] }, events: [{ name: found, data: 1 }] }
      writes  | function, config: { function: writer }
      writes  | http, config: { mode: request, url: "SERVER/told", result: { update: { log: [work] } } }
      routes  | router
      nothing | wait, config: { for: 10ms }
      nothing | compact, config: { keep_last: 5, summarizer: { type: drop } }
      calls   | subgraph, config: { graph: kinds-inner, input: {}, result: { update: { log: [work] } } }
      says    | llm, config: { prompt: "#kinds-llm", stream: false }
      says    | tool
      asks    | human, config: { payload: { q: well }, result: { update: { log: ["{{ response }}"] } } }
      fails   | fail, config: { code: no_luck, message: no luck }
      fails   | worker, config: { task_type: gpu, schedule_to_start: 10ms }
      """;

  /// What is shown before it is committed: pieces of messages and events.
  private static final String TELLERS =
      """
      says  | llm, config: { prompt: "#kinds-llm", stream: true }
      tells | function, config: { function: announcer }
      """;

  private static final String ANSWERS = "\"command\": {\"resume\": \"yes\"}";
  private static final String ANSWER = "work that comes in pieces";

  /// Takes a run from its driver when that gets it and at each of its writes after which it goes
  /// on: whatever it does next comes to nothing.
  private static final String DEATHS =
      """
      create or replace function kinds_death() returns trigger language plpgsql as $$
      begin
        update run set owner = 'dead-' || id, lease_epoch = next_epoch(lease_epoch)
         where id = new.id;
        return null;
      end $$;
      create trigger kinds_death after insert or update on run for each row
        when (new.graph like 'kinds%' and new.takeovers = 0 and new.owner is not null
              and new.owner not like 'dead-%') execute function kinds_death();
      """;

  /// By src/server/test/langgraph/reference/record-streams.mjs.
  private static final ObjectValue REFERENCE = reference();

  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired Announcer announcer;
  @Autowired ToolServer server;
  @Autowired JdbcClient jdbc;
  @Autowired Reconciler reconciler;
  private FaceClient face = new FaceClient(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    thread = UUID.randomUUID().toString();
  }

  private static ObjectValue reference() {
    try (var in = NodeTypeStreamApiTests.class.getResourceAsStream("/langgraph/streams.json")) {
      var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return (ObjectValue) Json.read(text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = NODES)
  void showsEachNodeTypeAsTheReferenceDoes(String kind, String work) {
    prepare(kind, work);

    var live = stream(input(work));
    compare(kind, live);
    replays(live);
    if (REFERENCE.has(kind + " answered")) {
      var answered = stream(ANSWERS);
      compare(kind + " answered", answered);
      replays(answered);
      replays(live);
    }
  }

  /// Who has been there all the time, who joins and who comes again gets what an undisturbed run
  /// shows: no begin and no end of a task twice.
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = NODES)
  void showsTheSameOfARunThatLosesEachOfItsDrivers(String kind, String work) {
    whileDriversDie(() -> showsEachNodeTypeAsTheReferenceDoes(kind, work));

    assertThat(takeovers()).isGreaterThanOrEqualTo(kind.equals("fails") ? 1 : 2);
  }

  private void whileDriversDie(Runnable work) {
    jdbc.sql(DEATHS).update();
    try {
      whileReconciled(work);
    } finally {
      revive();
    }
  }

  private void revive() {
    jdbc.sql("drop trigger if exists kinds_death on run").update();
  }

  private void whileReconciled(Runnable work) {
    try (var others = Executors.newSingleThreadScheduledExecutor()) {
      var _ = others.scheduleWithFixedDelay(this::reconcile, 0, 20, TimeUnit.MILLISECONDS);
      work.run();
    }
  }

  private int takeovers() {
    var takeovers =
        jdbc.sql(
            """
            select count(*) from run_event join run on run.id = run_event.run
             where thread_id = ? and type = 'run.taken_over'
            """);
    return takeovers.param(thread).query(Integer.class).single();
  }

  /// Pieces and events that come at once make up what is replayed.
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = TELLERS)
  void showsWhatNodesTellAtOnceAsTheReferenceDoes(String kind, String work) {
    prepare(kind, work);

    var live = stream(input(work));

    compare(kind, whole(live));
    var path = path(live);
    var replayed = replayed(path, "-1");
    compare(kind, whole(replayed));
    assertThat(committed(live)).isEqualTo(committed(replayed));
    comesAgain(live);
    assertThat(texts(live)).isEqualTo(kind.equals("says") ? List.of(ANSWER) : List.of());
  }

  /// Behind each event: pieces and the rest make up the text, but where it cannot be known how much
  /// of it the client has; there the state that follows has it whole.
  private void comesAgain(List<Message> live) {
    for (int i = 0; i < live.size(); i++) {
      if (!live.get(i).id().isEmpty()) {
        var seen = live.subList(0, i + 1);
        var rest = replayed(path(live), live.get(i).id());
        var got = Stream.concat(seen.stream(), rest.stream()).toList();
        assertThat(committed(got)).isEqualTo(committed(live));
        if (isUnclear(live, i)) {
          assertThat(texts(got)).isEqualTo(texts(seen));
          assertThat(of("values", rest).getLast().text("/messages/0/content")).isEqualTo(ANSWER);
        } else {
          assertThat(texts(got)).isEqualTo(texts(live));
        }
      }
    }
  }

  /// Whether a client that has got this event has a part of a text whose driver is lost before its
  /// end: the next driver may have another text.
  private static boolean isUnclear(List<Message> live, int at) {
    var types = live.stream().map(Message::type).toList();
    int begin = types.indexOf("messages");
    int end = types.lastIndexOf("messages");
    return begin != -1 && begin <= at && at < end && types.subList(begin, end).contains("metadata");
  }

  @Test
  void showsInTheStateTheTextThatALostDriverHadBegun() {
    var work = "llm, config: { prompt: \"#kinds-llm\", stream: true }";
    prepare("says", work);
    var gate = new CountDownLatch(1);
    script.says("kinds-llm", new Reply.Held(ANSWER, gate), Reply.text(ANSWER), Reply.text(ANSWER));
    jdbc.sql(DEATHS).update();
    try (var stream = begin(input(work))) {
      var live = new ArrayList<Message>();
      do {
        live.add(Objects.requireNonNull(stream.next()));
      } while (!live.getLast().type().equals("messages"));
      int piece = live.size() - 1;
      whileReconciled(() -> live.addAll(stream.rest()));

      assertThat(texts(live)).containsExactly(ANSWER);
      assertThat(texts(live.subList(0, piece + 1))).doesNotContain(ANSWER);
      assertThat(isUnclear(live, piece)).isTrue();
      comesAgain(live);
    } finally {
      gate.countDown();
      revive();
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = TELLERS)
  void showsWhatNodesTellAtOnceOnceOfARunThatLosesItsDrivers(String kind, String work) {
    whileDriversDie(() -> showsWhatNodesTellAtOnceAsTheReferenceDoes(kind, work));

    assertThat(takeovers()).isGreaterThanOrEqualTo(2);
  }

  /// Without pieces: of each message that comes in some, the first.
  private static List<Message> whole(List<Message> all) {
    var ids = new HashSet<String>();
    return all.stream()
        .filter(it -> !it.type().equals("messages/partial"))
        .filter(it -> !it.type().equals("messages") || ids.add(it.text("/0/id")))
        .toList();
  }

  /// The last bit of an id says whether the client has parts of messages.
  private static List<Message> committed(List<Message> all) {
    return all.stream()
        .filter(it -> !it.type().startsWith("messages") && !it.type().equals("custom"))
        .map(it -> new Message(Long.toString(Long.parseLong(it.id()) | 1), it.type(), it.data()))
        .toList();
  }

  /// What the pieces of each message make up.
  private static List<String> texts(List<Message> all) {
    var texts = new LinkedHashMap<String, String>();
    of("messages-tuple", all)
        .forEach(it -> texts.merge(it.text("/0/id"), it.text("/0/content"), String::concat));
    return List.copyOf(texts.values());
  }

  /// Beside that of the service: what fails once is tried again.
  private void reconcile() {
    try {
      reconciler.reconcile();
    } catch (DataAccessException _) {
      // soon again
    }
  }

  private void prepare(String kind, String work) {
    script.says("kinds-llm", Collections.nCopies(9, Reply.text(ANSWER)).toArray(Reply[]::new));
    announcer.reports(Report.of(List.of("word"), List.of()));
    face.graph(
        """
        name: kinds-inner
        nodes: [{ id: deep, type: router }]
        edges: [{ from: __start__, to: deep }]
        """);
    if (work.equals("tasks")) {
      face.graph(Objects.requireNonNull(TASKS.get(kind)));
      return;
    }
    var graph = GRAPH.replace("WORK", work.replace("SERVER", server.url()));
    // Nothing leads on from a node that fails on purpose.
    face.graph(
        work.startsWith("fail")
            ? graph.lines().filter(it -> !it.contains("last")).collect(Collectors.joining("\n"))
            : graph);
  }

  private static String input(String work) {
    return work.equals("tool")
        ? "\"input\": {\"messages\": [{\"type\": \"ai\", \"id\": \"given\", \"content\": \"\","
            + " \"tool_calls\": [{\"id\": \"c1\", \"name\": \"weather\", \"args\": {\"city\":"
            + " \"Rome\"}}]}]}"
        : "\"input\": {\"word\": \"w\"}";
  }

  private List<Message> stream(String members) {
    try (var stream = begin(members)) {
      return stream.rest();
    }
  }

  private SseClient begin(String members) {
    var body =
        "{\"assistant_id\": \"kinds\", \"if_not_exists\": \"create\", \"stream_mode\": %s, %s}"
            .formatted(Json.write(ListValue.texts(MODES.toArray(String[]::new))), members);
    var stream = SseClient.post(port, "/langgraph/threads/%s/runs/stream".formatted(thread), body);
    assertThat(stream.status()).isEqualTo(200);
    return stream;
  }

  private String path(List<Message> live) {
    return "/langgraph/threads/%s/runs/%s/stream"
        .formatted(thread, live.getFirst().text("/run_id"));
  }

  private static void compare(String kind, List<Message> live) {
    for (var mode : MODES) {
      var shown = kinds(mode, live);
      if (kind.equals("fails")) {
        // A superstep that fails on purpose commits: one more checkpoint than a thrown error.
        shown.removeIf(it -> it.equals("1 ") || it.equals("1 checkpoint"));
      }
      assertThat(kind.equals("beside") ? sorted(shown) : shown)
          .as("%s of a node that %s", mode, kind)
          .isEqualTo(expected(kind, mode));
    }
    if (kind.equals("beside")) {
      var state = of("values", live).getLast();
      assertThat(texts(state.data(), "/log")).isEqualTo("left");
    }
  }

  private static List<String> expected(String kind, String mode) {
    var recorded = (ObjectValue) REFERENCE.getOr(kind, Value.NULL);
    var kinds = new ArrayList<>(texts((ListValue) recorded.getOr(mode, Value.NULL)));
    return switch (kind) {
      case "beside" -> {
        // What has ended beside the question comes with it, not behind it.
        if (mode.equals("values")) {
          kinds.removeLast();
        }
        yield sorted(kinds);
      }
      case "beside answered" -> {
        // Tasks that have ended do not begin again.
        kinds.removeIf(it -> it.endsWith("begin left") || it.endsWith("begin quiet"));
        yield kinds;
      }
      default -> kinds;
    };
  }

  /// Tasks beside each other end in any order.
  private static List<String> sorted(List<String> kinds) {
    var sorted = new ArrayList<>(kinds);
    int begins = (int) kinds.stream().takeWhile(it -> !it.contains("end ")).count();
    sorted.subList(kinds.size() == begins ? 0 : begins, kinds.size()).sort(null);
    return sorted;
  }

  /// What the recording calls these events.
  private static List<String> kinds(String mode, List<Message> all) {
    var kinds = new ArrayList<String>();
    for (var message : of(mode, all)) {
      var data = message.data();
      switch (message.type()) {
        case "values" -> kinds.add(has(data, "__interrupt__") ? "values asks" : "values");
        case "updates" -> kinds.add(String.join(" ", new TreeSet<>(members(data))));
        case "messages" -> kinds.add(message.text("/1/langgraph_node"));
        case "tasks" -> kinds.add(task(data, ""));
        case "checkpoints" ->
            kinds.add(message.number("/metadata/step") + " " + texts(data, "/next"));
        case "debug" ->
            kinds.add(
                message.number("/step")
                    + " "
                    + (message.text("/type").equals("checkpoint")
                        ? "checkpoint"
                        : task(data, "/payload")));
        // The metadata of a message come before it, which the other server does for models only.
        case "messages/metadata" -> {}
        case "messages/complete" -> {
          if (!message.text("/0/id").equals("given")) {
            kinds.add(message.type());
          }
        }
        default -> kinds.add(message.type());
      }
    }
    return kinds;
  }

  private static String task(Value data, String at) {
    var isEnd = !FaceClient.find(data, at + "/result").isEmpty();
    var error = FaceClient.find(data, at + "/error");
    return (isEnd ? "end " : "begin ")
        + FaceClient.find(data, at + "/name")
        + (error.isEmpty() || error.equals("null") ? "" : " failed")
        + (FaceClient.find(data, at + "/interrupts").equals("[]") ? "" : " asks");
  }

  private static String texts(Value data, String pointer) {
    return String.join(" ", texts((ListValue) Json.read(FaceClient.find(data, pointer))));
  }

  private static List<String> texts(ListValue list) {
    return list.items(Value.Text.class).map(Value.Text::value).toList();
  }

  private static boolean has(Value data, String member) {
    return data instanceof ObjectValue object && object.has(member);
  }

  private static List<String> members(Value data) {
    return List.copyOf(((ObjectValue) data).asMap().keySet());
  }

  private static List<Message> of(String mode, List<Message> all) {
    return all.stream()
        .filter(it ->
            switch (mode) {
              case "messages-tuple" -> it.type().equals("messages");
              case "messages" -> it.type().startsWith("messages/");
              default -> it.type().equals(mode);
            })
        .toList();
  }

  /// From the beginning, in one mode, and behind each event: the same, with the same ids.
  private void replays(List<Message> live) {
    var path = path(live);
    assertThat(replayed(path, "-1")).isEqualTo(live);
    for (var mode : MODES) {
      var alone = replayed(path + "?stream_mode=" + mode, "-1");
      assertThat(of(mode, alone)).as(mode).isEqualTo(of(mode, live));
    }
    assertThat(live).allSatisfy(it -> assertThat(it.id()).as("id of %s", it).isNotEmpty());
    for (int i = 0; i < live.size(); i += i < live.size() - EACH ? EACH : 1) {
      assertThat(replayed(path, live.get(i).id())).isEqualTo(live.subList(i + 1, live.size()));
    }
  }

  private List<Message> replayed(String path, String after) {
    try (var again = SseClient.get(port, path, "Last-Event-ID", after)) {
      return again.rest();
    }
  }

  /// Who comes later sees what one sees who has been there from the beginning.
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = NODES)
  void showsOneWhoJoinsARunTheSame(String kind, String work) {
    prepare(kind, work);
    var joined = joined(input(work));
    compare(kind, joined);
    replays(joined);
    if (REFERENCE.has(kind + " answered")) {
      var answered = joined(ANSWERS);
      compare(kind + " answered", answered);
      replays(answered);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = TELLERS)
  void showsOneWhoJoinsWhatNodesTellAtOnce(String kind, String work) {
    prepare(kind, work);

    var joined = joined(input(work));

    compare(kind, whole(joined));
    var again = replayed(path(joined), "-1");
    assertThat(committed(again)).isEqualTo(committed(joined));
    assertThat(texts(again)).isEqualTo(texts(joined));
  }

  /// What a second stream shows of a run that nobody drives before both are open.
  private List<Message> joined(String members) {
    jdbc.sql(DEATHS).update();
    try (var first = begin(members)) {
      var live = new ArrayList<>(List.of(Objects.requireNonNull(first.next())));
      try (var second = SseClient.get(port, path(live), "Last-Event-ID", "-1")) {
        var joined = new ArrayList<>(List.of(Objects.requireNonNull(second.next())));
        revive();
        whileReconciled(() -> live.addAll(first.rest()));
        joined.addAll(second.rest());
        assertThat(committed(joined)).isEqualTo(committed(live));
        return joined;
      }
    } finally {
      revive();
    }
  }
}
