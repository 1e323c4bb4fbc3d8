package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.client.model.CheckpointSummary;
import dev.superstep.client.model.Task;
import dev.superstep.http.ApiTest;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// State, checkpoints, tasks and pictures of runs (E43, E44).
@ApiTest
class RunStateApiTests {
  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.counter("state-counter", 3));
    api.graph(Graphs.fanOut("state-fan-out"));
    api.graph(Graphs.twoQuestions("state-questions"));
  }

  @Test
  void readsTheStateAtAnyCheckpoint() {
    var run = api.run("state-counter", Map.of()).getId();

    assertThat(api.state.getRunState(run, null, null, null, null).getState())
        .isEqualTo(Map.of("count", 3));
    var second = api.state.getRunState(run, 2, null, null, null);
    assertThat(second.getState()).isEqualTo(Map.of("count", 2));
    assertThat(second.getSuperstep()).isEqualTo(2);
    assertThat(second.getPendingResults()).isNullOrEmpty();
    Api.assertRefused(
        () -> api.state.getRunState(run, 17, null, null, null), 404, "checkpoint_not_found");
  }

  /// durability.md, rule 15: whatever needs it says so, and nothing is done by halves.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/state",
        "/context",
        "/checkpoints/0",
        "/checkpoints/1/context?node=first",
        "/tasks",
        "/diagram"
      })
  void saysThatANewerReleaseHasStoredWhatIsAskedFor(String read) {
    var run = api.run("state-questions", Map.of()).getId();
    stored(run, StoredForm.NEWEST + 1);

    var answer = api.get("/v1/runs/" + run + read);

    Api.assertProblem(answer, 503, "stored_by_newer_release");
    assertThat(answer.body()).contains("was stored by a newer release", "upgrade this one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          fork   | {"checkpoint": 0}
          resume | {"change": {"update": {"log": 1}}}
          resume | {"answers": [{"interrupt_id": "%s", "value": {"approved": true}}]}
          """)
  void changesNothingOfARunThatItCannotRead(String action, String body) {
    var asked = api.run("state-questions", Map.of());
    var run = asked.getId();
    stored(run, StoredForm.NEWEST + 1);

    var answer =
        api.post(
            "/v1/runs/%s/%s".formatted(run, action),
            body.formatted(asked.getInterrupts().getFirst().getId()));

    Api.assertProblem(answer, 503, "stored_by_newer_release");
    stored(run, 1);
    assertThat(api.get("/v1/runs?limit=200&parent=" + run).body()).contains("\"items\":[]");
    var after = api.runs.getRun(run, null, null);
    assertThat(after.getStatus()).isEqualTo(asked.getStatus());
    assertThat(after.getCheckpoint()).isEqualTo(asked.getCheckpoint());
    assertThat(after.getInterrupts()).hasSameSizeAs(asked.getInterrupts());
  }

  @Test
  void beginsNothingBehindAConversationThatItCannotRead() {
    var start = Api.start("state-counter", Map.of()).threadId("newer-thread");
    var run = api.runs.startRun(start, null, "30s").getId();
    stored(run, StoredForm.NEWEST + 1);

    Api.assertRefused(() -> api.threads.getThread("newer-thread"), 503, "stored_by_newer_release");
    Api.assertRefused(() -> api.runs.startRun(start, null, "30s"), 503, "stored_by_newer_release");

    stored(run, 1);
    assertThat(api.runs.startRun(start, null, "30s").getStatus()).hasToString("succeeded");
  }

  /// Rewrites the form of what the run's checkpoints hold.
  private void stored(String run, int form) {
    jdbc.sql(
            """
            update checkpoint
               set content = convert_to(
                     regexp_replace(convert_from(content, 'UTF8'), '"v":[0-9]+', :form), 'UTF8')
             where run = :run
            """)
        .param("run", run)
        .param("form", "\"v\":" + form)
        .update();
  }

  @Test
  void showsHeldResultsWhenAsked() {
    var run = api.run("state-questions", Map.of());
    var first = run.getInterrupts().stream().filter(it -> it.getNode().equals("first")).findFirst();
    api.post(
        "/v1/runs/" + run.getId() + "/resume?wait=30s",
        "{\"answers\":[{\"interrupt_id\":\"%s\",\"value\":{\"approved\":true}}]}"
            .formatted(first.orElseThrow().getId()));

    var state = api.state.getRunState(run.getId(), null, true, null, null);

    assertThat(state.getState()).isEmpty();
    assertThat(state.getPendingResults())
        .isNotNull()
        .filteredOn(it -> it.getStatus().getValue().equals("succeeded"))
        .extracting(Task::getNode)
        .containsExactly("first");
  }

  @Test
  void listsCheckpointsWithoutGaps() {
    var run = api.run("state-counter", Map.of()).getId();

    var all = api.state.listCheckpoints(run, null, null, null).getItems();
    assertThat(all).extracting(CheckpointSummary::getCheckpoint).containsExactly(3, 2, 1, 0);
    assertThat(all)
        .extracting(it -> it.getKind().getValue())
        .containsExactly("final", "step", "step", "input");
    assertThat(api.state.listCheckpoints(run, 1, null, null).getItems()).hasSize(1);
    var page = api.state.listCheckpoints(run, null, 3, null);
    var rest = api.state.listCheckpoints(run, null, 3, page.getNextCursor());
    assertThat(rest.getItems()).extracting(CheckpointSummary::getCheckpoint).containsExactly(0);
    assertThat(rest.getNextCursor()).isNull();
  }

  @Test
  void readsACheckpointWithItsPendingDispatches() {
    var run = api.run("state-fan-out", Map.of("items", List.of("cats", "dogs"))).getId();

    var planned = api.state.getCheckpoint(run, 1, null, null);

    assertThat(planned.getPendingActivations()).hasSize(2);
    var dispatch = planned.getPendingActivations().getFirst();
    assertThat(dispatch.getNode()).isEqualTo("work");
    assertThat(dispatch.getDispatchId()).isNotBlank();
    assertThat(dispatch.getInput()).isEqualTo(Map.of("item", "cats"));
    var done = api.state.getCheckpoint(run, 2, null, null);
    assertThat(done.getChanges())
        .extracting(it -> it.getChange().getUpdate())
        .containsExactly(Map.of("found", "cats"), Map.of("found", "dogs"));
    assertThat(done.getStateHash()).isNotBlank();
    Api.assertRefused(
        () -> api.state.getCheckpoint(run, 3, null, null), 404, "checkpoint_not_found");
  }

  @Test
  void listsTasks() {
    var run = api.run("state-fan-out", Map.of("items", List.of("cats", "dogs"))).getId();

    var tasks = api.state.listTasks(run, null, null, null, null, null, null, null).getItems();
    assertThat(tasks).extracting(Task::getNode).containsExactly("work", "work", "plan");
    assertThat(tasks.getFirst().getInput()).isEqualTo(Map.of("item", "cats"));
    assertThat(tasks.getFirst().getIdempotencyKey()).isNotBlank();
    assertThat(api.state.listTasks(run, 1, "plan", "succeeded", null, null, null, null).getItems())
        .hasSize(1);
    assertThat(api.state.listTasks(run, null, null, "failed", null, null, null, null).getItems())
        .isEmpty();
    var page = api.state.listTasks(run, null, null, null, 2, null, null, null);
    var rest = api.state.listTasks(run, null, null, null, 2, page.getNextCursor(), null, null);
    assertThat(rest.getItems()).extracting(Task::getNode).containsExactly("plan");
  }

  @Test
  void readsThePromptContext() {
    api.graph(
        """
        name: state-context
        context: { template: "You are {{ variables.role }}.", variables: { role: a clerk } }
        nodes:
          - { id: a, type: expression, config: { variables: { mood: good }, prompt: p, response: r } }
        edges: [{ from: __start__, to: a }]
        """);
    var run = api.run("state-context", Map.of()).getId();

    var context = api.state.getRunContext(run, null);

    assertThat(context.getVariables())
        .containsEntry("role", "a clerk")
        .containsEntry("mood", "good");
    assertThat(context.getHistory()).hasSize(1);
    assertThat(context.getHistory().getFirst().toString()).contains("timestamp", "node_id=a");
  }

  @Test
  void drawsARun() {
    var run = api.run("state-counter", Map.of()).getId();

    assertThat(api.state.drawRun(run, null)).startsWith("flowchart").contains("add");
    assertThat(api.state.drawRun(run, "mermaid")).startsWith("flowchart");
    Api.assertRefused(() -> api.state.drawRun(run, "dot"), 422, "invalid_parameter");
  }

  @Test
  void says404ForEveryCallAboutAnUnknownRun() {
    for (var call :
        List.of(
            "",
            "/state",
            "/context",
            "/checkpoints",
            "/checkpoints/0",
            "/tasks",
            "/interrupts",
            "/events",
            "/stream",
            "/diagram")) {
      Api.assertProblem(api.get("/v1/runs/no-such-run" + call), 404, "run_not_found");
    }
    for (var call : List.of("/resume", "/fork", "/cancel", "/pause", "/step")) {
      var body = call.equals("/fork") ? "{\"checkpoint\":0}" : "{}";
      Api.assertProblem(api.post("/v1/runs/no-such-run" + call, body), 404, "run_not_found");
    }
  }

  /// C32. S3-12: what has become of each node is a result, an error, or nothing if it never ran.
  @Test
  void showsFailuresThatTheGraphTookCareOf() {
    api.graph(
        """
        name: state-handled
        nodes:
          - id: divide
            type: expression
            on_error: continue
            config: { update: { result: "{{ 10 / state.divisor }}" } }
          - { id: other, type: expression, config: { update: { other: 1 } } }
          - { id: after, type: router }
        edges:
          - { from: __start__, to: [divide, other] }
          - { from: divide, to: after }
        """);
    var run = api.run("state-handled", Map.of("divisor", 0));

    var tasks = "/v1/runs/" + run.getId() + "/tasks";
    var handled = api.get(tasks + "?status=handled");
    assertThat(Api.at(handled, "/items/0/node")).isEqualTo(Value.of("divide"));
    assertThat(Api.at(handled, "/items/0/status")).isEqualTo(Value.of("handled"));
    assertThat(Api.at(handled, "/items/0/error/code")).isNotEqualTo(Value.NULL);
    assertThat(Api.at(handled, "/items/1")).isEqualTo(Value.NULL);
    assertThat(Api.at(api.get(tasks + "?status=succeeded"), "/items/0/node"))
        .isEqualTo(Value.of("other"));
    assertThat(Api.at(api.get(tasks + "?node=other"), "/items/0/change/update/other"))
        .isEqualTo(Value.of(1));
    assertThat(Api.at(api.get(tasks + "?node=after"), "/items/0")).isEqualTo(Value.NULL);
    assertThat(Api.at(api.get(tasks + "?status=failed"), "/items/0")).isEqualTo(Value.NULL);
    assertThat(run.getFailedTasks()).isNullOrEmpty();
    var events = "/v1/runs/" + run.getId() + "/events";
    var told = api.get(events + "?type=task.handled");
    assertThat(Api.at(told, "/items/0/node")).isEqualTo(Value.of("divide"));
    assertThat(Api.at(told, "/items/0/data/code"))
        .isEqualTo(Api.at(handled, "/items/0/error/code"));
    assertThat(Api.at(told, "/items/1")).isEqualTo(Value.NULL);
    assertThat(Api.at(api.get(events + "?type=task.failed"), "/items/0")).isEqualTo(Value.NULL);
    assertThat(api.get("/v1/runs/" + run.getId() + "/stream?type=task.handled").body())
        .contains("event: task.handled")
        .doesNotContain("superstep.committed");
    assertThat(api.get("/v1/runs/" + run.getId() + "/diagram").body())
        .contains("classDef handled fill:#f3e0c7")
        .containsPattern("class \\w+ handled");
  }

  /// E33: whatever lists a superstep's tasks, questions or results.
  @Test
  void listsHeldTasksAndQuestionsInTaskOrder() {
    api.graph(
        """
        name: state-ordered
        nodes:
          - id: plan
            type: expression
            config: { dispatch: "{{ state.items.map(t, {'node': 'each', 'input': {'item': t}}) }}" }
            targets: [each]
          - { id: each, type: human, config: { payload: "{{ input.item }}" } }
        edges: [{ from: __start__, to: plan }]
        """);
    var items = List.of("k", "b", "j", "a", "i", "c", "h", "d", "g", "e", "f");
    var run = api.run("state-ordered", Map.of("items", items));

    assertThat(run.getInterrupts()).extracting("payload").isEqualTo(items);
    var checkpoint = api.get("/v1/runs/" + run.getId() + "/checkpoints/" + run.getCheckpoint());
    for (int i = 0; i < items.size(); i++) {
      var item = Value.of(items.get(i));
      assertThat(Api.at(checkpoint, "/interrupts/" + i + "/payload")).isEqualTo(item);
      assertThat(Api.at(checkpoint, "/pending_results/" + i + "/input/item")).isEqualTo(item);
    }
  }
}
