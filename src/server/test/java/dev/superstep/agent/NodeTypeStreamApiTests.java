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
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
  private static final int EACH = Integer.getInteger("superstep.replays.each", 4);

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

  private static final String NODES =
      """
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
      fails   | worker, config: { queue: gpu }
      """;

  /// What is shown before it is committed: pieces of messages and events.
  private static final String TELLERS =
      """
      says  | llm, config: { prompt: "#kinds-llm", stream: true }
      tells | function, config: { function: announcer }
      """;

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
    prepare(work);
    var input =
        work.equals("tool")
            ? "{\"messages\": [{\"type\": \"ai\", \"id\": \"given\", \"content\": \"\","
                + " \"tool_calls\": [{\"id\": \"c1\", \"name\": \"weather\", \"args\": {\"city\":"
                + " \"Rome\"}}]}]}"
            : "{\"word\": \"w\"}";

    var live = stream("\"input\": " + input);
    compare(kind, live);
    replays(live);
    if (kind.equals("asks")) {
      var answered = stream("\"command\": {\"resume\": \"yes\"}");
      compare("asks answered", answered);
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
    try (var others = Executors.newSingleThreadScheduledExecutor()) {
      var _ = others.scheduleWithFixedDelay(this::reconcile, 0, 20, TimeUnit.MILLISECONDS);
      work.run();
    } finally {
      jdbc.sql("drop trigger kinds_death on run").update();
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
    prepare(work);

    var live = stream("\"input\": {\"word\": \"w\"}");

    compare(kind, whole(live));
    var path =
        "/langgraph/threads/%s/runs/%s/stream".formatted(thread, live.getFirst().text("/run_id"));
    var replayed = replayed(path, "-1");
    compare(kind, whole(replayed));
    assertThat(committed(live)).isEqualTo(committed(replayed));
    for (int i = 0; i < live.size(); i++) {
      if (!live.get(i).id().isEmpty()) {
        var got = new ArrayList<>(live.subList(0, i + 1));
        got.addAll(replayed(path, live.get(i).id()));
        assertThat(committed(got)).isEqualTo(committed(live));
        assertThat(texts(got)).isEqualTo(texts(live));
      }
    }
    assertThat(texts(live)).isEqualTo(kind.equals("says") ? List.of(ANSWER) : List.of());
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

  private void prepare(String work) {
    script.says("kinds-llm", Collections.nCopies(9, Reply.text(ANSWER)).toArray(Reply[]::new));
    announcer.reports(Report.of(List.of("word"), List.of()));
    face.graph(
        """
        name: kinds-inner
        nodes: [{ id: deep, type: router }]
        edges: [{ from: __start__, to: deep }]
        """);
    var graph = GRAPH.replace("WORK", work.replace("SERVER", server.url()));
    // Nothing leads on from a node that fails on purpose.
    face.graph(
        work.startsWith("fail")
            ? graph.lines().filter(it -> !it.contains("last")).collect(Collectors.joining("\n"))
            : graph);
  }

  private List<Message> stream(String members) {
    var body =
        "{\"assistant_id\": \"kinds\", \"if_not_exists\": \"create\", \"stream_mode\": %s, %s}"
            .formatted(Json.write(ListValue.texts(MODES.toArray(String[]::new))), members);
    try (var stream =
        SseClient.post(port, "/langgraph/threads/%s/runs/stream".formatted(thread), body)) {
      assertThat(stream.status()).isEqualTo(200);
      return stream.rest();
    }
  }

  private static void compare(String kind, List<Message> live) {
    var expected = (ObjectValue) REFERENCE.getOr(kind, Value.NULL);
    for (var mode : MODES) {
      var shown = kinds(mode, live);
      if (kind.equals("fails")) {
        // A superstep that fails on purpose commits: one more checkpoint than a thrown error.
        shown.removeIf(it -> it.equals("1 ") || it.equals("1 checkpoint"));
      }
      assertThat(ListValue.texts(shown.toArray(String[]::new)))
          .as("%s of a node that %s", mode, kind)
          .isEqualTo(expected.get(mode));
    }
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
    return String.join(
        " ",
        ((ListValue) Json.read(FaceClient.find(data, pointer)))
            .stream().map(it -> ((Value.Text) it).value()).toList());
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
    var path =
        "/langgraph/threads/%s/runs/%s/stream".formatted(thread, live.getFirst().text("/run_id"));
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

  @Test
  void showsOneWhoJoinsARunTheSame() {
    prepare("wait, config: { for: 200ms }");
    var run =
        face.post(
                "/threads/%s/runs".formatted(thread),
                """
                {"assistant_id": "kinds", "input": {"word": "w"}, "if_not_exists": "create",
                 "stream_mode": ["tasks", "updates", "values"]}\
                """)
            .ok()
            .at("/run_id");
    var path = "/langgraph/threads/%s/runs/%s/stream".formatted(thread, run);
    var joined = replayed(path, "-1");
    assertThat(kinds("tasks", joined))
        .containsExactly("begin work", "end work", "begin last", "end last");
    assertThat(kinds("updates", joined)).containsExactly("work", "last");
    assertThat(replayed(path, "-1")).isEqualTo(joined);
  }
}
