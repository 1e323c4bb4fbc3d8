package dev.superstep.agent;

import static dev.superstep.agent.SubgraphApiTests.calling;
import static dev.superstep.agent.SubgraphApiTests.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

/// E41: what becomes of children that have failed or stopped, over HTTP.
@AgentTest
class SubgraphResumeApiTests {
  @LocalServerPort int port;
  @Autowired JdbcTemplate database;
  @Autowired TransactionOperations transaction;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private Value run(String graph, String input) {
    return service.run(graph, input(input));
  }

  private Value child(Value run) {
    var found = service.get("/v1/runs?parent=" + Service.text(run, "/id"));
    var children = (ListValue) Service.at(found, "/items");
    assertThat(children.size()).isEqualTo(1);
    return service.get("/v1/runs/" + Service.text(found, "/items/0/id"));
  }

  /// E41: a resume continues the old child, from where it was; E39: with a higher limit.
  @Test
  void continuesTheChildThatFailed() {
    stepping();
    service.graph(calling("sub-limited", "sub-steps", ""));
    var failed = run("sub-limited", "{}");
    assertThat(Service.text(failed, "/status")).isEqualTo("failed");
    assertThat(Service.text(failed, "/error/code")).isEqualTo("max_supersteps_exceeded");
    assertThat(Service.text(failed, "/error/message")).contains("sub-steps");
    var child = child(failed);
    assertThat(Service.text(failed, "/failed_tasks/0/child_run_id"))
        .isEqualTo(Service.text(child, "/id"));
    var path = "/v1/runs/%s/resume?wait=30s".formatted(Service.text(failed, "/id"));
    assertThat(Service.text(service.post(path, input("{}")), "/code"))
        .isEqualTo("run_not_resumable");
    assertThat(
            Service.text(
                service.post(
                    "/v1/runs/%s/resume".formatted(Service.text(child, "/id")), input("{}")),
                "/detail"))
        .contains(Service.text(failed, "/id"));

    var run = service.post(path, input("{\"limits\": {\"max_supersteps\": 20}}"));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(Service.at(run, "/output/call/n")).isEqualTo(Value.of(5L));
    assertThat(Service.text(child(run), "/id")).isEqualTo(Service.text(child, "/id"));
    assertThat(Service.at(child(run), "/superstep")).isEqualTo(Value.of(6L));
  }

  /// Fails after two supersteps, unless it may take more.
  private void stepping() {
    service.graph(
        """
        name: sub-steps
        limits: { max_supersteps: 2 }
        channels: { n: { reducer: sum, default: 0 } }
        nodes: [{ id: step, type: expression, config: { update: { n: 1 } } }]
        edges: [{ from: __start__, to: step }, { from: step, to: step, condition: "state.n < 5" }]
        """);
  }

  private Value resume(Value run, String body) {
    return service.post(
        "/v1/runs/%s/resume?wait=30s".formatted(Service.text(run, "/id")), input(body));
  }

  /// E41, E34: what is resolved by hand wants nothing of its child any more, which could not even
  /// go on with these limits.
  @Test
  void leavesTheChildOfAResolvedTaskAlone() {
    stepping();
    service.graph(calling("sub-resolved", "sub-steps", ""));
    var failed = run("sub-resolved", "{}");
    assertThat(Service.text(failed, "/status")).isEqualTo("failed");

    var run = resume(failed, "{\"resolve\": [{\"task_id\": \"1:call\"}]}");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(Service.text(child(run), "/status")).isEqualTo("failed");
  }

  /// E41, E34: a run that waits for a person holds the failure of a sibling; the answer, with a
  /// higher limit, continues the child that failed and begins no other.
  @Test
  void continuesTheFailedChildOfARunThatAsks() {
    stepping();
    service.graph(
        """
        name: sub-asking
        nodes:
          - { id: call, type: subgraph, config: { graph: sub-steps } }
          - { id: person, type: human, config: { payload: "Well?", answer_to: said } }
        edges: [{ from: __start__, to: [call, person] }]
        """);
    var asked = run("sub-asking", "{}");
    assertThat(Service.text(asked, "/status")).as(asked.toString()).isEqualTo("interrupted");
    assertThat(Service.text(child(asked), "/status")).isEqualTo("failed");

    // The run may be moving once more, to take down that its child has failed.
    var run =
        await()
            .until(
                () ->
                    resume(
                        asked,
                        "{\"answers\": [{\"value\": \"fine\"}],"
                            + " \"limits\": {\"max_supersteps\": 20}}"),
                it -> !it.toString().contains("run_not_at_rest"));

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(Service.at(run, "/output/call/n")).isEqualTo(Value.of(5L));
    assertThat(Service.at(child(run), "/superstep")).isEqualTo(Value.of(6L));
  }

  /// E41: a resume that waits for the lock of a child acts on what the child is by then.
  @Test
  void seesWhatHappenedToTheChildWhileItWaitedForItsLock() {
    service.graph(
        """
        name: sub-paused
        interrupt_before: work
        nodes: [{ id: work, type: expression, config: { update: { done: true } } }]
        edges: [{ from: __start__, to: work }]
        """);
    service.graph(calling("sub-pausing", "sub-paused", ""));
    var stopped = run("sub-pausing", "{}");
    var child = Service.text(child(stopped), "/id");

    var resumed = new CompletableFuture<Value>();
    transaction.executeWithoutResult(_ -> {
      database.queryForList("select id from run where id = ? for update", child);
      Thread.startVirtualThread(() -> resumed.complete(resume(stopped, "{}")));
      await().atMost(Duration.ofSeconds(20)).until(this::someoneWaitsForALock);
      database.update("update run set status = 'cancelled' where id = ?", child);
    });

    assertThat(Service.text(resumed.join(), "/code")).isEqualTo("nothing_to_resume");
    assertThat(Service.text(child(stopped), "/status")).isEqualTo("cancelled");
  }

  /// E38: the runs inside pause with a run, keep what they waited for, and end within its step.
  @Test
  void pausesAndStepsWithItsChild() {
    service.graph(
        """
        name: sub-waits
        channels: { done: {} }
        nodes:
          - { id: paid, type: wait, config: { event: { name: sub.paid }, result: {} } }
          - { id: note, type: expression, config: { update: { done: true } } }
        edges: [{ from: __start__, to: paid }, { from: paid, to: note }]
        """);
    service.graph(
        calling("sub-waiting", "sub-waits", "")
            .replace("edges: [", "edges: [{ from: call, to: after }, ")
            .replace("nodes:", "nodes:\n  - { id: after, type: router }"));
    var run = service.post("/v1/runs", input("{\"graph\": \"sub-waiting\", \"input\": {}}"));
    var path = "/v1/runs/" + Service.text(run, "/id");
    await()
        .until(
            () -> service.get("/v1/runs?parent=" + Service.text(run, "/id")).toString(),
            it -> it.contains("\"waiting\""));
    await().until(() -> service.get(path).toString(), it -> it.contains("\"waiting\""));

    var paused = service.post(path + "/pause", input("{}"));

    assertThat(Service.text(paused, "/breakpoint/when")).isEqualTo("pause");
    assertThat(Service.text(paused, "/breakpoint/nodes/0")).isEqualTo("call");
    assertThat(Service.text(child(run), "/breakpoint/nodes/0")).isEqualTo("paid");
    service.event(
        "{\"specversion\": \"1.0\", \"id\": \"sub-1\", \"source\": \"/t\", \"type\":"
            + " \"sub.paid\"}");
    assertThat(Service.text(child(run), "/status")).isEqualTo("interrupted");

    var stepped = service.post(path + "/step?wait=30s", input("{}"));

    assertThat(Service.text(stepped, "/breakpoint/nodes/0"))
        .as(stepped.toString())
        .isEqualTo("after");
    assertThat(Service.text(child(run), "/status")).isEqualTo("succeeded");
    assertThat(Service.text(resume(run, "{}"), "/status")).isEqualTo("succeeded");
  }

  /// A run inside that is paused by itself stops the one around it, which goes on with it.
  @Test
  void stopsTheParentOfARunThatIsPaused() {
    service.graph(
        """
        name: sub-holds
        channels: { done: {} }
        nodes:
          - { id: held, type: wait, config: { event: { name: sub.held }, result: {} } }
          - { id: note, type: expression, config: { update: { done: true } } }
        edges: [{ from: __start__, to: held }, { from: held, to: note }]
        """);
    service.graph(calling("sub-holding", "sub-holds", ""));
    var run = service.post("/v1/runs", input("{\"graph\": \"sub-holding\", \"input\": {}}"));
    var path = "/v1/runs/" + Service.text(run, "/id");
    await().until(() -> service.get(path).toString(), it -> it.contains("\"waiting\""));
    var child = "/v1/runs/" + Service.text(child(run), "/id");
    await().until(() -> service.get(child).toString(), it -> it.contains("\"waiting\""));

    service.post(child + "/pause", input("{}"));

    await().until(() -> Service.text(service.get(path), "/status"), it -> it.equals("interrupted"));
    service.event(
        "{\"specversion\": \"1.0\", \"id\": \"sub-2\", \"source\": \"/t\", \"type\":"
            + " \"sub.held\"}");
    assertThat(Service.text(resume(run, "{}"), "/status")).isEqualTo("succeeded");
  }

  private boolean someoneWaitsForALock() {
    return Boolean.TRUE.equals(
        database.queryForObject(
            """
            select exists (select from pg_stat_activity
                            where datname = current_database() and wait_event_type = 'Lock'
                              and wait_event in ('transactionid', 'tuple'))
            """,
            Boolean.class));
  }

  /// E41: a parent that may be resumed would wait for ever for a child that is gone.
  @Test
  void keepsTheChildOfAParentThatMayBeResumed() {
    stepping();
    service.graph(calling("sub-keeping", "sub-steps", ""));
    var failed = run("sub-keeping", "{}");
    var child = Service.text(child(failed), "/id");

    assertThat(Service.text(service.refusal("/v1/runs/" + child), "/code")).isEqualTo("run_active");

    assertThat(Service.text(child(failed), "/id")).isEqualTo(child);
    service.post("/v1/runs/%s/cancel".formatted(Service.text(failed, "/id")), input("{}"));
    service.delete("/v1/runs/" + child);
  }
}
