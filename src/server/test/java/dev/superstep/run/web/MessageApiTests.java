package dev.superstep.run.web;

import static dev.superstep.run.web.Api.assertProblem;
import static dev.superstep.run.web.Api.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.client.model.AnswerInterrupt;
import dev.superstep.client.model.ForkRun;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.client.model.RunSummary;
import dev.superstep.client.model.StartRun;
import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Messages to runs and threads (E49).
@ApiTest
class MessageApiTests {
  private static final Duration SOON = Duration.ofSeconds(30);

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private Api api = new Api(0);
  private String thread = "";

  @BeforeEach
  void connects() {
    api = new Api(port);
    thread = "t-" + UUID.randomUUID();
    api.graph(talk("talk", ""));
    api.graph(talk("talk-inbox", "inbox: { node: note }"));
    api.graph(talk("talk-resumes", "inbox: { node: note, resumes: true }"));
  }

  /// Asks, then notes how many messages it sees.
  private static String talk(String name, String inbox) {
    return """
    name: %s
    channels:
      messages: { reducer: messages, default: [] }
      seen: { reducer: append }
      sum: { reducer: sum, default: 0 }
    %s
    nodes:
      - { id: ask, type: human, config: { payload: "Well?", answer_to: said }, next: note }
      - { id: note, type: expression, config: { update: { seen: "{{ size(state.messages) }}" } } }
    """
        .formatted(name, inbox);
  }

  private Run asks(String graph) {
    var run = api.runs.startRun(Api.start(graph, Map.of()).threadId(thread), null, "30s");
    assertThat(run.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    return run;
  }

  private Run answer(Run run) {
    var question = run.getInterrupts().getFirst().getId();
    return api.interrupts.answerInterrupt(
        question, new AnswerInterrupt().value("yes"), null, "30s");
  }

  private HttpResponse<String> send(String to, String body) {
    return api.post("/v1/" + to + "/messages", body);
  }

  private HttpResponse<String> accepted(String to, String body) {
    var answer = send(to, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    return answer;
  }

  private List<String> statuses(String run) {
    return items("runs/" + run + "/messages").stream().map(it -> it.textOrEmpty("status")).toList();
  }

  private List<ObjectValue> items(String path) {
    var answer = api.get("/v1/" + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ((ObjectValue) Json.read(answer.body())).objects("items");
  }

  private Value seen(Run run) {
    return at(api.get("/v1/" + to(run) + "/state"), "/state/seen");
  }

  private static String to(Run run) {
    return "runs/" + run.getId();
  }

  @Test
  void showsMessagesToTheNextSuperstepAndSaysWhichHasTakenThem() {
    var run = asks("talk");
    var first = accepted(to(run), "{\"message\": \"one\", \"id\": \"m-1\"}");
    accepted(to(run), "{\"message\": {\"role\": \"user\", \"content\": \"two\"}}");
    accepted(to(run), "{\"channel\": \"sum\", \"value\": 5}");
    assertThat(at(first, "/status")).isEqualTo(Value.of("waiting"));
    assertThat(at(first, "/value/0/content")).isEqualTo(Value.of("one"));
    assertThat(statuses(run.getId())).containsExactly("waiting", "waiting", "waiting");

    var ended = answer(run);

    assertThat(ended.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(seen(ended)).isEqualTo(ListValue.of(Value.of(2)));
    assertThat(items(to(run) + "/messages"))
        .allMatch(it -> it.get("superstep") instanceof Value.Int(var superstep) && superstep == 1)
        .extracting(it -> it.textOrEmpty("status"))
        .containsOnly("taken");
    assertThat(items(to(run) + "/events?type=message.taken"))
        .hasSize(3)
        .first()
        .satisfies(it ->
            assertThat(it.objectOrEmpty("data").get("message_id")).isEqualTo(Value.of("m-1")));
    assertThat(at(api.get("/v1/" + to(run) + "/state"), "/state/sum")).isEqualTo(Value.of(5));
  }

  @Test
  void keepsItsHistoryWholeAndForksFromBehindAMessage() {
    var run = asks("talk");
    accepted(to(run), "{\"message\": \"one\"}");
    answer(run);

    assertThat(at(api.get("/v1/" + to(run) + "/verify"), "/verified")).isEqualTo(Value.TRUE);
    var last = api.runs.getRun(run.getId(), null, null).getCheckpoint();
    var fork = api.runs.forkRun(run.getId(), new ForkRun().checkpoint(last - 1), null, "30s");
    assertThat(seen(fork)).isEqualTo(ListValue.of(Value.of(1)));
    assertThat(statuses(fork.getId())).isEmpty();
  }

  @Test
  void storesAMessageOnceThatIsSentAgainWithItsId() {
    var run = asks("talk");
    accepted(to(run), "{\"message\": \"one\", \"id\": \"m\"}");

    var again = accepted(to(run), "{\"message\": \"one\", \"id\": \"m\"}");
    assertThat(at(again, "/seq")).isEqualTo(Value.of(1));
    accepted("threads/" + thread, "{\"message\": \"one\", \"id\": \"m\"}");
    assertProblem(send(to(run), "{\"message\": \"other\", \"id\": \"m\"}"), 409, "message_exists");

    answer(run);
    accepted(to(run), "{\"message\": \"one\", \"id\": \"m\"}");
    assertThat(statuses(run.getId())).containsExactly("taken");
  }

  @Test
  void runsTheNodeOfTheInboxWithWhatComesWithTheEnd() {
    var run = asks("talk-inbox");
    answer(run);
    var next = asks("talk-inbox");
    accepted(to(next), "{\"message\": \"one\"}");

    assertThat(seen(answer(next))).isEqualTo(ListValue.of(Value.of(0), Value.of(1)));
  }

  @Test
  void steersNoStream() {
    var body =
        "{\"graph\": \"talk\", \"thread_id\": \"%s\", \"if_busy\": \"steer\", \"input\": {}}"
            .formatted(thread);
    assertProblem(api.post("/v1/runs/stream", body), 422, "invalid_value");
  }

  @Test
  void refusesMessagesToARunThatHasEnded() {
    var run = asks("talk");
    answer(run);

    assertProblem(send(to(run), "{\"message\": \"late\"}"), 409, "run_ended");
    assertProblem(send("threads/" + thread, "{\"message\": \"late\"}"), 409, "run_ended");
    assertThat(statuses(run.getId())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void beginsTheNextRunOfTheThread(boolean byThread) {
    var run = asks("talk");
    answer(run);

    var sent =
        accepted(
            byThread ? "threads/" + thread : to(run),
            "{\"message\": \"next\", \"id\": \"m\", \"if_ended\": \"start\"}");

    assertThat(at(sent, "/status")).isEqualTo(Value.of("moved"));
    assertThat(at(sent, "/next_run_id")).isInstanceOf(Value.Text.class);
    for (var to : List.of(to(run), "threads/" + thread)) {
      var again = accepted(to, "{\"message\": \"next\", \"id\": \"m\", \"if_ended\": \"start\"}");
      assertThat(at(again, "/next_run_id")).isEqualTo(at(sent, "/next_run_id"));
    }
    var runs = api.threads.listThreadRuns(thread, null, null).getItems();
    assertThat(runs).hasSize(2);
    var next = api.runs.getRun(runs.getFirst().getId(), null, "30s");
    assertThat(String.valueOf(next.getInput())).contains("next");
    assertThat(seen(answer(next))).isEqualTo(ListValue.of(Value.of(0), Value.of(1)));
  }

  @Test
  void beginsTheNextRunWithAllThatTheEndedOneHasNotTaken() {
    var run = asks("talk");
    accepted(to(run), "{\"message\": \"one\", \"if_ended\": \"start\"}");
    accepted(to(run), "{\"message\": \"two\", \"if_ended\": \"start\"}");
    accepted(to(run), "{\"channel\": \"sum\", \"value\": 3, \"if_ended\": \"start\"}");
    accepted(to(run), "{\"message\": \"left\"}");

    api.runs.cancelRun(run.getId(), null, "30s");

    await()
        .atMost(SOON)
        .until(() -> api.threads.listThreadRuns(thread, null, null).getItems().size() == 2);
    assertThat(statuses(run.getId())).containsExactly("moved", "moved", "moved", "left");
    var next = api.threads.listThreadRuns(thread, null, null).getItems().getFirst().getId();
    var asking = api.runs.getRun(next, null, "30s");
    var ended = answer(asking);
    assertThat(seen(ended)).isEqualTo(ListValue.of(Value.of(2)));
    assertThat(at(api.get("/v1/runs/" + next + "/state"), "/state/sum")).isEqualTo(Value.of(3));
  }

  /// As if the replica had died that ended the first run.
  @Test
  void letsNoRunOvertakeMessagesThatAreToBeginOne() {
    var run = asks("talk");
    accepted(to(run), "{\"message\": \"one\"}");
    api.runs.cancelRun(run.getId(), null, "30s");
    jdbc.sql("update run_message set if_ended = 'start' where run = ?").param(run.getId()).update();

    var behind =
        api.runs.startRun(
            Api.start("talk", Map.of()).threadId(thread).ifBusy(StartRun.IfBusyEnum.ENQUEUE),
            null,
            null);

    var runs = api.threads.listThreadRuns(thread, null, null).getItems();
    assertThat(runs).hasSize(3).first().extracting(RunSummary::getId).isEqualTo(behind.getId());
    assertThat(statuses(run.getId())).containsExactly("moved");
    assertThat(answer(api.runs.getRun(runs.get(1).getId(), null, "30s")).getStatus())
        .isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(seen(answer(api.runs.getRun(behind.getId(), null, "30s"))))
        .isEqualTo(ListValue.of(Value.of(1), Value.of(1)));
  }

  /// The first thing that the run does is to end.
  @Test
  void takesMessagesOfARunWhoseInputLeadsToTheEnd() {
    api.graph(
        """
        name: talk-ends
        channels: { messages: { reducer: messages, default: [] } }
        nodes:
          - { id: note, type: expression, config: { update: {} } }
        edges:
          - { from: __start__, to: __end__ }
        """);
    asks("talk");
    var next =
        api.runs.startRun(
            Api.start("talk-ends", Map.of()).threadId(thread).ifBusy(StartRun.IfBusyEnum.ENQUEUE),
            null,
            null);
    accepted(to(next), "{\"message\": \"one\"}");
    answer(api.runs.getRun(first(), null, "30s"));

    var ended = api.runs.getRun(next.getId(), null, "30s");

    assertThat(ended.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(statuses(next.getId())).containsExactly("taken");
    assertThat(at(api.get("/v1/" + to(next) + "/verify"), "/verified")).isEqualTo(Value.TRUE);
  }

  private String first() {
    return api.threads.listThreadRuns(thread, null, null).getItems().getLast().getId();
  }

  @Test
  void refusesToBeginARunBehindOneWithoutAThread() {
    var run = api.run("talk", Map.of());

    assertProblem(
        send(to(run), "{\"message\": \"x\", \"if_ended\": \"start\"}"), 422, "invalid_value");
  }

  @Test
  void goesOnWithAMessageAndClosesWhatItAsks() {
    var run = asks("talk-resumes");

    accepted(to(run), "{\"message\": \"never mind\"}");

    var ended = api.runs.getRun(run.getId(), null, "30s");
    assertThat(ended.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(seen(ended)).isEqualTo(ListValue.of(Value.of(1)));
    assertThat(items(to(run) + "/interrupts"))
        .singleElement()
        .satisfies(it -> assertThat(it.textOrEmpty("status")).isEqualTo("cancelled"));
  }

  @Test
  void sendsToTheActiveRunOfAThread() {
    assertProblem(send("threads/" + thread, "{\"message\": \"x\"}"), 404, "thread_not_found");
    var run = asks("talk");

    var sent = accepted("threads/" + thread, "{\"message\": \"x\"}");

    assertThat(at(sent, "/run_id")).isEqualTo(Value.of(run.getId()));
  }

  @Test
  void steersTheActiveRunOfAThreadAndStartsOneWhereThereIsNone() {
    var body =
        """
        {"graph": "talk", "thread_id": "%s", "if_busy": "steer",
         "input": {"messages": [{"role": "user", "content": "hi"}], "sum": 2}}
        """
            .formatted(thread);
    var first = api.post("/v1/runs?wait=30s", body);
    assertThat(at(first, "/status")).isEqualTo(Value.of("interrupted"));

    var second = api.post("/v1/runs", body);

    assertThat(second.statusCode()).as(second.body()).isEqualTo(202);
    assertThat(at(second, "/id")).isEqualTo(at(first, "/id"));
    assertThat(api.threads.listThreadRuns(thread, null, null).getItems()).hasSize(1);
    var run = api.runs.getRun(((Value.Text) at(first, "/id")).value(), null, null);
    assertThat(statuses(run.getId())).containsExactly("waiting", "waiting");
    assertThat(seen(answer(run))).isEqualTo(ListValue.of(Value.of(2)));
  }

  @Test
  void steersOnceHoweverOftenTheCallIsRepeated() {
    var body =
        """
        {"graph": "%s", "thread_id": "%s", "if_busy": "steer", "id": "%s",
         "input": {"messages": [{"role": "user", "content": "hi"}]}}
        """;
    var id = "steer-" + UUID.randomUUID();
    var first = api.post("/v1/runs?wait=30s", body.formatted("talk", thread, id));
    assertThat(at(api.post("/v1/runs", body.formatted("talk", thread, id)), "/id"))
        .isEqualTo(at(first, "/id"));
    assertThat(statuses(id)).isEmpty();

    var more = body.formatted("talk", thread, id + "-more");
    assertThat(at(api.post("/v1/runs", more), "/id")).isEqualTo(Value.of(id));
    answer(api.runs.getRun(id, null, null));
    assertThat(at(api.post("/v1/runs", more), "/id")).isEqualTo(Value.of(id));

    assertThat(statuses(id)).containsExactly("taken");
    var other = more.replace("hi", "other");
    assertProblem(api.post("/v1/runs", other), 409, "run_exists");
    assertProblem(
        send("runs/" + id, "{\"message\": \"x\", \"id\": \"steer:x\"}"), 422, "invalid_value");
    asks("talk");
    assertProblem(
        api.post("/v1/runs", body.formatted("talk-inbox", thread, "other-" + id)),
        409,
        "thread_busy");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'limits': {'max_supersteps': 9}",
        "'metadata': {'a': 'b'}",
        "'interrupt_before': ['note']",
        "'priority': 1",
        "'start_at': '2099-01-01T00:00:00Z'",
        "'context': {'variables': {'a': 1}}",
        "'version': 99"
      })
  void steersNoRunThatWouldNotHaveWhatTheRequestSays(String member) {
    var body =
        """
        {"graph": "talk", "thread_id": "%s", "if_busy": "steer", "input": {"sum": 2}, %s}
        """
            .formatted(thread, member.replace('\'', '"'));
    var run = asks("talk");

    var refused = api.post("/v1/runs", body);

    assertThat(refused.statusCode()).as(refused.body()).isBetween(404, 409);
    assertThat(statuses(run.getId())).isEmpty();
  }

  @Test
  void beginsRunAfterRunWithWhatWasLeft() {
    var run = asks("talk");
    var add = "{\"channel\": \"sum\", \"value\": %d, \"id\": \"%s\", \"if_ended\": \"start\"}";
    accepted(to(run), add.formatted(1, "a"));
    accepted(to(run), add.formatted(10, "b"));
    api.runs.cancelRun(run.getId(), null, "30s");
    var second = next(2);
    assertProblem(send(to(second), add.formatted(100, "a")), 409, "message_exists");
    accepted(to(second), add.formatted(100, "c"));
    accepted(to(second), add.formatted(1000, "d"));
    api.runs.cancelRun(second.getId(), null, "30s");

    var third = answer(next(3));

    assertThat(at(api.get("/v1/" + to(third) + "/state"), "/state/sum")).isEqualTo(Value.of(1111));
    assertThat(statuses(run.getId())).containsOnly("moved");
    assertThat(statuses(second.getId())).containsOnly("moved");
    assertThat(statuses(third.getId())).containsOnly("taken");
  }

  /// The newest of so many runs of the thread, which asks.
  private Run next(int runs) {
    await()
        .atMost(SOON)
        .until(() -> api.threads.listThreadRuns(thread, null, null).getItems().size() == runs);
    var newest = api.threads.listThreadRuns(thread, null, null).getItems().getFirst().getId();
    return api.runs.getRun(newest, null, "30s");
  }

  @Test
  void refusesToBeginARunWithWhatItsGraphDoesNotTake() {
    api.graph(
        talk("talk-schema", "input: { schema: { type: object, required: [said] } }")
            .replace("seen: {", "said: {}\n  seen: {"));
    var start = "{\"message\": \"x\", \"if_ended\": \"start\"}";
    var run =
        api.runs.startRun(
            Api.start("talk-schema", Map.of("said", "x")).threadId(thread), null, "30s");

    assertProblem(send(to(run), start), 422, "invalid_input");
    accepted(to(run), "{\"message\": \"x\"}");
    answer(run);
    assertProblem(send(to(run), start), 422, "invalid_input");
    assertThat(api.threads.listThreadRuns(thread, null, null).getItems()).hasSize(1);
  }

  /// A replica of the release before, which would end it over its messages, leaves such a run
  /// alone.
  @Test
  void marksARunWithMessagesAsOneOfANewerForm() {
    var run = asks("talk");
    assertThat(form(run)).isEqualTo(1);

    accepted(to(run), "{\"message\": \"x\"}");

    assertThat(form(run)).isEqualTo(2);
  }

  private int form(Run run) {
    return jdbc.sql("select form from run where id = ?")
        .param(run.getId())
        .query(Integer.class)
        .single();
  }

  @Test
  void boundsWhatWaits() {
    var run = asks("talk");
    var large = "x".repeat(400_000);
    accepted(to(run), "{\"message\": \"%s\"}".formatted(large));
    accepted(to(run), "{\"message\": \"%s\"}".formatted(large));
    assertProblem(send(to(run), "{\"message\": \"%s\"}".formatted(large)), 429, "quota_exceeded");
    assertProblem(
        send(to(run), "{\"message\": \"%s\"}".formatted("x".repeat(1_100_000))),
        422,
        "limit_exceeded");
    assertThat(statuses(run.getId())).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 422 | missing_field",
        "{'message': 'a', 'value': 1} | 422 | invalid_value",
        "{'message': 'a', 'channel': 'nowhere'} | 422 | invalid_value",
        "{'value': 'a text', 'channel': 'sum'} | 422 | invalid_value",
        "{'message': {'role': 'nobody'}} | 422 | invalid_value",
        "{'message': 'a', 'id': ''} | 422 | invalid_value",
        "{'message': 'a', 'if_ended': 'wait'} | 422 | invalid_value",
        "{'message': 'a', 'to': 'x'} | 422 | unknown_field"
      })
  void refusesWhatNoRunCouldTake(String body, int status, String code) {
    var run = asks("talk");

    assertProblem(send(to(run), body.replace('\'', '"')), status, code);
    assertThat(statuses(run.getId())).isEmpty();
  }

  @Test
  void listsInPagesInTheOrderOfAcceptance() {
    var run = asks("talk");
    IntStream.range(0, 5)
        .forEach(i -> accepted(to(run), "{\"message\": \"m\", \"id\": \"%d\"}".formatted(i)));

    var first = api.get("/v1/" + to(run) + "/messages?limit=3");
    var cursor = ((Value.Text) at(first, "/next_cursor")).value();
    var rest = items(to(run) + "/messages?limit=3&cursor=" + cursor);

    assertThat(at(first, "/items/0/id")).isEqualTo(Value.of("0"));
    assertThat(rest).extracting(it -> it.textOrEmpty("id")).containsExactly("3", "4");
  }

  @Test
  void erasesMessagesWithTheirRun() {
    var run = asks("talk");
    accepted(to(run), "{\"message\": \"m\"}");
    answer(run);

    api.runs.deleteRun(run.getId());

    assertProblem(api.get("/v1/" + to(run) + "/messages"), 404, "run_not_found");
    assertProblem(send(to(run), "{\"message\": \"m\"}"), 404, "run_not_found");
  }
}
