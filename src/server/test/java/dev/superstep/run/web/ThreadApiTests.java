package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.client.model.Answer;
import dev.superstep.client.model.Change;
import dev.superstep.client.model.ForkRun;
import dev.superstep.client.model.ResumeRun;
import dev.superstep.client.model.Run;
import dev.superstep.client.model.Run.StatusEnum;
import dev.superstep.client.model.StartRun;
import dev.superstep.client.model.StartRun.IfBusyEnum;
import dev.superstep.client.model.ThreadSummary;
import dev.superstep.graph.Pointer;
import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Conversations over HTTP (C33).
@ApiTest
class ThreadApiTests {
  @LocalServerPort private int port;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.question("thread-question"));
    api.graph(Graphs.counter("thread-counter", 1));
    api.graph(Graphs.sleeper("thread-sleeper"));
  }

  private static String fresh() {
    return "t-" + UUID.randomUUID();
  }

  private static StartRun on(String thread, String graph, Map<String, Object> input) {
    return Api.start(graph, input).threadId(thread);
  }

  @Test
  void goesOnPastAQuestionWithIfBusy() {
    var thread = fresh();
    var asked = api.runs.startRun(on(thread, "thread-question", Map.of("n", 1)), null, "30s");
    assertThat(asked.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    var next = on(thread, "thread-counter", Map.of("m", 2));
    Api.assertRefused(() -> api.runs.startRun(next, null, null), 409, "thread_busy");

    var run = api.runs.startRun(next.ifBusy(IfBusyEnum.INTERRUPT), null, "30s");

    assertThat(run.getStatus()).isEqualTo(StatusEnum.SUCCEEDED);
    assertThat(run.getOutput()).isEqualTo(Map.of("n", 1, "m", 2, "count", 1));
    assertThat(api.runs.getRun(asked.getId(), null, null).getStatus())
        .isEqualTo(StatusEnum.CANCELLED);
    var shown = api.threads.getThread(thread);
    assertThat(shown.getHead()).isNotNull();
    assertThat(shown.getHead().getRunId()).isEqualTo(run.getId());
  }

  @Test
  void startsAnEnqueuedRunWhenTheThreadIsFree() {
    var thread = fresh();
    var first = api.runs.startRun(on(thread, "thread-sleeper", Map.of("n", 1)), null, null);
    var second =
        api.runs.startRun(
            on(thread, "thread-counter", Map.of("m", 2)).ifBusy(IfBusyEnum.ENQUEUE), null, null);
    assertThat(second.getStatus()).isEqualTo(StatusEnum.QUEUED);
    assertThat(second.getStartedAt()).isNull();
    Api.assertProblem(
        api.get("/v1/runs/" + second.getId() + "/state"), 404, "checkpoint_not_found");

    api.runs.cancelRun(first.getId(), null, "30s");

    var run = api.runs.getRun(second.getId(), null, "30s");
    assertThat(run.getOutput()).isEqualTo(Map.of("n", 1, "m", 2, "count", 1));
  }

  @Test
  void refusesStrategiesThatMakeNoSense() {
    var answer =
        api.post("/v1/runs", "{\"graph\":\"thread-counter\",\"input\":{},\"if_busy\":\"enqueue\"}");
    Api.assertProblem(answer, 422, "invalid_value");
    assertThat(answer.body()).contains("/if_busy");
    var unknown =
        api.post(
            "/v1/runs",
            "{\"graph\":\"thread-counter\",\"input\":{},\"thread_id\":\"x\",\"if_busy\":\"wait\"}");
    Api.assertProblem(unknown, 422, "invalid_value");
  }

  @Test
  void listsThreadsAndTheirRunsNewestFirst() {
    var threads = List.of(fresh(), fresh(), fresh());
    for (var thread : threads) {
      api.runs.startRun(on(thread, "thread-counter", Map.of()), null, "30s");
    }
    var last = threads.getLast();
    var second = api.runs.startRun(on(last, "thread-counter", Map.of()), null, "30s");

    var page = api.threads.listThreads(null, null, 2, null);
    var rest = api.threads.listThreads(null, null, 1, page.getNextCursor());

    assertThat(page.getItems())
        .extracting(ThreadSummary::getThreadId)
        .containsExactly(last, threads.get(1));
    assertThat(rest.getItems())
        .extracting(ThreadSummary::getThreadId)
        .containsExactly(threads.getFirst());
    assertThat(page.getItems().getFirst().getLastRun().getId()).isEqualTo(second.getId());
    var runs = api.threads.listThreadRuns(last, 1, null);
    assertThat(runs.getItems()).extracting("id").containsExactly(second.getId());
    var older = api.threads.listThreadRuns(last, 5, runs.getNextCursor());
    assertThat(older.getItems()).hasSize(1);
    Api.assertRefused(
        () -> api.threads.listThreadRuns("nobody", null, null), 404, "thread_not_found");
    Api.assertProblem(api.get("/v1/threads?order=x"), 422, "unknown_parameter");
  }

  @Test
  void erasesAThreadWithItsLastRun() {
    var thread = fresh();
    var first = api.runs.startRun(on(thread, "thread-counter", Map.of("n", 1)), null, "30s");
    var second = api.runs.startRun(on(thread, "thread-counter", Map.of("n", 2)), null, "30s");

    api.runs.deleteRun(second.getId());
    assertThat(api.threads.getThread(thread).getState()).isEqualTo(Map.of("n", 1, "count", 1));
    api.runs.deleteRun(first.getId());

    Api.assertRefused(() -> api.threads.getThread(thread), 404, "thread_not_found");
    Api.assertRefused(() -> api.threads.deleteThread(thread), 404, "thread_not_found");
    var again = api.runs.startRun(on(thread, "thread-counter", Map.of()), null, "30s");
    assertThat(again.getOutput()).isEqualTo(Map.of("count", 1));
  }

  /// What cannot be done to a run that waits says so, and every view of it has an answer.
  @Test
  void showsARunThatWaitsForItsThread() {
    var thread = fresh();
    var active = api.runs.startRun(on(thread, "thread-sleeper", Map.of()), null, null);
    var enqueued = on(thread, "thread-counter", Map.of("m", 2)).ifBusy(IfBusyEnum.ENQUEUE);
    var path = "/v1/runs/" + api.runs.startRun(enqueued, null, null).getId();

    for (var view : List.of("", "/checkpoints", "/tasks", "/events", "/interrupts", "/diagram")) {
      assertThat(api.get(path + view).statusCode()).as(view).isEqualTo(200);
    }
    for (var view : List.of("/state", "/context", "/checkpoints/0")) {
      Api.assertProblem(api.get(path + view), 404, "checkpoint_not_found");
    }
    Api.assertProblem(api.post(path + "/resume", "{}"), 409, "nothing_to_resume");
    var edit = api.post(path + "/resume", "{\"change\": {\"update\": {\"m\": 3}}}");
    Api.assertProblem(edit, 409, "run_not_at_rest");
    assertThat(edit.body()).contains("the run waits for its thread");
    Api.assertProblem(api.post(path + "/fork", "{\"checkpoint\": 0}"), 404, "checkpoint_not_found");
    Api.assertProblem(api.send("DELETE", path, "text/plain", ""), 409, "run_active");
    Api.assertRefused(() -> api.threads.deleteThread(thread), 409, "thread_busy");
    assertThat(api.get("/v1/runs?status=queued&thread_id=" + thread).body())
        .contains(path.substring(9));
    assertThat(api.post(path + "/cancel", "").body()).contains("\"status\":\"cancelled\"");
    var ended = api.post(path + "/resume", "{}");
    Api.assertProblem(ended, 409, "run_ended");
    assertThat(ended.body()).contains("the run was cancelled");
    api.runs.cancelRun(active.getId(), null, "30s");
  }

  @Test
  void erasesAThreadThatIsFree() {
    var thread = fresh();
    Run run = api.runs.startRun(on(thread, "thread-question", Map.of()), null, "30s");
    Api.assertRefused(() -> api.threads.deleteThread(thread), 409, "thread_busy");
    api.runs.cancelRun(run.getId(), null, "30s");

    api.threads.deleteThread(thread);

    Api.assertRefused(() -> api.threads.getThread(thread), 404, "thread_not_found");
    Api.assertRefused(() -> api.runs.getRun(run.getId(), null, null), 404, "run_not_found");
    Api.assertRefused(() -> api.threads.deleteThread(thread), 404, "thread_not_found");
    var again = api.runs.startRun(on(thread, "thread-counter", Map.of()), null, "30s");
    assertThat(again.getOutput()).isEqualTo(Map.of("count", 1));
  }

  /// Runs that tasks have begun are part of no thread: they end and go with the run that began
  /// them.
  @Test
  void endsAndErasesWhatTheRunsOfAThreadHaveBegun() {
    api.graph(Graphs.question("thread-child"));
    api.graph(
        """
        name: thread-parent
        nodes:
          - { id: ask, type: subgraph, config: { graph: thread-child } }
        edges:
          - { from: __start__, to: ask }
        """);
    var thread = fresh();
    var parent = api.runs.startRun(on(thread, "thread-parent", Map.of("n", 1)), null, "30s");
    assertThat(parent.getStatus()).isEqualTo(StatusEnum.INTERRUPTED);
    var child = at(api.get("/v1/runs?parent=" + parent.getId()), "/items/0/id");
    assertThat(api.threads.listThreadRuns(thread, null, null).getItems()).hasSize(1);

    var next = on(thread, "thread-counter", Map.of()).ifBusy(IfBusyEnum.INTERRUPT);
    assertThat(api.runs.startRun(next, null, "30s").getOutput())
        .isEqualTo(Map.of("n", 1, "count", 1));

    assertThat(api.runs.getRun(parent.getId(), null, null).getStatus())
        .isEqualTo(StatusEnum.CANCELLED);
    assertThat(api.runs.getRun(child, null, "30s").getStatus()).isEqualTo(StatusEnum.CANCELLED);
    api.threads.deleteThread(thread);
    Api.assertRefused(() -> api.runs.getRun(child, null, null), 404, "run_not_found");
  }

  private static String at(HttpResponse<String> answer, String pointer) {
    return Api.at(answer, pointer) instanceof Value.Text(var text) ? text : "";
  }

  /// E42, C33: a person changes what was said and has the thread go on from there.
  @Test
  void editsAThreadByForksInTheNameOfNodes() {
    api.graph(
        """
        name: thread-join
        channels: { log: { reducer: append } }
        nodes:
          - { id: a, type: expression, config: { update: { log: a } } }
          - { id: b, type: expression, config: { update: { log: b } } }
          - { id: c, type: expression, config: { update: { log: c } } }
        edges:
          - { from: __start__, to: [a, b] }
          - { from: [a, b], to: c }
        """);
    var thread = fresh();
    var run = api.runs.startRun(on(thread, "thread-join", Map.of("log", "in")), null, "30s");
    assertThat(log(thread)).isEqualTo(List.of("in", "a", "b", "c"));
    var edit = new ForkRun().threadId(thread).change(new Change().update(Map.of("log", "edited")));

    api.runs.forkRun(run.getId(), edit.checkpoint(1).asNode("b"), null, "30s");
    assertThat(log(thread)).isEqualTo(List.of("in", "a", "b", "edited", "c"));
    api.runs.forkRun(run.getId(), edit.checkpoint(0).asNode("__start__"), null, "30s");
    assertThat(log(thread)).isEqualTo(List.of("in", "edited", "a", "b", "c"));
    api.runs.forkRun(run.getId(), edit.checkpoint(2).asNode("__end__"), null, "30s");
    assertThat(log(thread)).isEqualTo(List.of("in", "a", "b", "c", "edited"));

    api.runs.startRun(on(thread, "thread-join", Map.of("log", "next")), null, "30s");
    assertThat(log(thread))
        .isEqualTo(List.of("in", "a", "b", "c", "edited", "next", "a", "b", "c"));
  }

  private List<?> log(String thread) {
    var state = Json.read(api.get("/v1/threads/" + thread).body());
    return Pointer.find(state, "/state/log").orElse(Value.NULL) instanceof ListValue log
        ? log.stream().map(it -> it instanceof Value.Text(var text) ? text : it).toList()
        : List.of();
  }

  /// An edit without going on is committed: it is what the thread is, and what the next run finds.
  @Test
  void showsWhatARunThatStoppedWasEditedTo() {
    var thread = fresh();
    var asked = api.runs.startRun(on(thread, "thread-question", Map.of("n", 1)), null, "30s");
    var edit = new ResumeRun().change(new Change().update(Map.of("n", 2)))._continue(false);

    api.runs.resumeRun(asked.getId(), edit, null, "30s");

    assertThat(api.threads.getThread(thread).getState()).isEqualTo(Map.of("n", 2));
    var next = on(thread, "thread-counter", Map.of()).ifBusy(IfBusyEnum.INTERRUPT);
    assertThat(api.runs.startRun(next, null, "30s").getOutput())
        .isEqualTo(Map.of("n", 2, "count", 1));
  }

  /// E34: besides what is pending; one that is pending already is not activated twice.
  @Test
  void activatesMoreNodesWithAResume() {
    api.graph(
        """
        name: thread-goto
        channels: { log: { reducer: append } }
        nodes:
          - { id: ask, type: human, config: { payload: "Well?", answer_to: said } }
          - { id: other, type: expression, config: { update: { log: other } } }
        edges:
          - { from: __start__, condition: "state.?skip.orValue(false)", to: other }
          - { from: __start__, to: ask }
        """);
    var asked = api.runs.startRun(Api.start("thread-goto", Map.of()), null, "30s");
    var more = new ResumeRun()._goto(List.of("other", "ask", "other"))._continue(false);
    assertThat(api.runs.resumeRun(asked.getId(), more, null, "30s").getInterrupts()).hasSize(1);

    var answer = new Answer().value("yes");
    var run =
        api.runs.resumeRun(asked.getId(), new ResumeRun().addAnswersItem(answer), null, "30s");

    assertThat(run.getOutput()).isEqualTo(Map.of("log", List.of("other"), "said", "yes"));
    for (var node : List.of("__end__", "__start__", "nobody")) {
      var again = api.run("thread-goto", Map.of());
      Api.assertProblem(
          api.post("/v1/runs/" + again.getId() + "/resume", "{\"goto\": [\"%s\"]}".formatted(node)),
          422,
          "invalid_value");
    }
  }

  @Test
  void erasesAThreadOnlyWhenNoneOfManyRunsWaitsForIt() {
    var thread = fresh();
    var active = api.runs.startRun(on(thread, "thread-sleeper", Map.of()), null, null);
    var waiting = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      var next = on(thread, "thread-counter", Map.of()).ifBusy(IfBusyEnum.ENQUEUE);
      waiting.add(api.runs.startRun(next, null, null).getId());
    }

    Api.assertRefused(() -> api.threads.deleteThread(thread), 409, "thread_busy");
    waiting.reversed().forEach(it -> api.runs.cancelRun(it, null, null));
    Api.assertRefused(() -> api.threads.deleteThread(thread), 409, "thread_busy");
    api.runs.cancelRun(active.getId(), null, "30s");
    api.threads.deleteThread(thread);

    Api.assertRefused(() -> api.runs.getRun(waiting.getLast(), null, null), 404, "run_not_found");
  }
}
