package dev.superstep.agent;

import static dev.superstep.agent.SubgraphApiTests.input;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// E41, E39: what sub-agents spend is spent by who has begun them, on one budget. Each call of the
/// scripted model takes 11 tokens in.
@AgentTest
class SubgraphBudgetApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  /// Calls a model twice.
  private void worker(String name, String limits) {
    service.graph(
        """
        name: %s
        limits: %s
        channels: { messages: { reducer: messages } }
        nodes: [{ id: first, type: llm }, { id: second, type: llm }]
        edges: [{ from: __start__, to: first }, { from: first, to: second }]
        """
            .formatted(name, limits));
  }

  /// Has another graph work.
  private void boss(String name, String worker, String limits) {
    service.graph(
        """
        name: %s
        limits: %s
        channels: { messages: { reducer: messages } }
        nodes:
          - id: work
            type: subgraph
            config: { graph: %s, input: { messages: "{{ state.messages }}" } }
        edges: [{ from: __start__, to: work }]
        """
            .formatted(name, limits, worker));
  }

  private static Reply[] replies(int count) {
    var replies = new Reply[count];
    Arrays.fill(replies, Reply.text("fine"));
    return replies;
  }

  private Value resume(Value run, String body) {
    return service.post(
        "/v1/runs/%s/resume?wait=30s".formatted(Service.text(run, "/id")), input(body));
  }

  private ListValue children(Value run) {
    return (ListValue)
        Service.at(service.get("/v1/runs?parent=" + Service.text(run, "/id")), "/items");
  }

  private Value child(Value run) {
    assertThat(children(run).size()).isEqualTo(1);
    return service.get("/v1/runs/" + Service.text(children(run).get(0), "/id"));
  }

  private static Value number(long value) {
    return Value.of(value);
  }

  /// E41: over two levels.
  @Test
  void countsWhatSubgraphsHaveSpent() {
    worker("spent-worker", "{}");
    boss("spent-middle", "spent-worker", "{}");
    boss("spent-boss", "spent-middle", "{}");
    script.says("spent-boss", replies(2));

    var run = service.say("spent-boss", "#spent-boss");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    var shown = service.get("/v1/runs/" + Service.text(run, "/id"));
    assertThat(Service.at(shown, "/usage")).isEqualTo(Service.at(run, "/usage"));
    assertThat(Service.at(run, "/usage/model_calls")).isEqualTo(number(2));
    assertThat(Service.at(run, "/usage/input_tokens")).isEqualTo(number(22));
    assertThat(Service.text(run, "/usage/nodes/0/node")).isEqualTo("work");
    assertThat(Service.at(child(run), "/usage/model_calls")).isEqualTo(number(2));
  }

  /// E41, E39: the child has what its parent has left, and goes on where it was with more.
  @Test
  void endsAChildWithTheBudgetOfItsParent() {
    worker("share-worker", "{ max_model_calls: 50 }");
    boss("share-boss", "share-worker", "{ max_model_calls: 1 }");
    script.says("share-boss", replies(2));

    var run = service.say("share-boss", "#share-boss");

    var id = Service.text(run, "/id");
    assertThat(Service.text(run, "/error/code")).isEqualTo("max_model_calls_exceeded");
    assertThat(Service.text(run, "/error/details/budget_of")).isEqualTo(id);
    assertThat(Service.text(run, "/error/message")).contains("the budget of run '" + id + "'");
    assertThat(Service.at(run, "/usage/model_calls")).isEqualTo(number(1));
    assertThat(Service.at(child(run), "/limits/max_model_calls")).isEqualTo(number(1));
    assertThat(script.asked("share-boss")).hasSize(1);
    assertThat(Service.text(resume(run, "{}"), "/code")).isEqualTo("run_not_resumable");
    var resumed = resume(run, "{\"limits\": {\"max_model_calls\": 2}}");
    assertThat(Service.text(resumed, "/status")).as(resumed.toString()).isEqualTo("succeeded");
    assertThat(Service.at(resumed, "/usage/model_calls")).isEqualTo(number(2));
    assertThat(Service.at(child(resumed), "/usage/model_calls")).isEqualTo(number(2));
    assertThat(script.asked("share-boss")).hasSize(2);
  }

  /// E39: of what a resume gives, the child gets no more than its parent has left.
  @Test
  void sharesWhatAResumeGives() {
    worker("resumed-worker", "{ max_model_calls: 1 }");
    service.graph(
        """
        name: resumed-boss
        limits: { max_model_calls: 3 }
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: think, type: llm }
          - id: work
            type: subgraph
            config: { graph: resumed-worker, input: { messages: "{{ state.messages }}" } }
        edges: [{ from: __start__, to: think }, { from: think, to: work }]
        """);
    script.says("resumed-boss", replies(3));
    var run = service.say("resumed-boss", "#resumed-boss");
    assertThat(Service.text(run, "/error/code")).isEqualTo("max_model_calls_exceeded");
    assertThat(Service.text(run, "/error/details/budget_of"))
        .isEqualTo(Service.text(child(run), "/id"));

    var resumed = resume(run, "{\"limits\": {\"max_model_calls\": 5}}");

    assertThat(Service.text(resumed, "/status")).as(resumed.toString()).isEqualTo("succeeded");
    assertThat(Service.at(child(resumed), "/limits/max_model_calls")).isEqualTo(number(4));
    assertThat(Service.at(resumed, "/usage/model_calls")).isEqualTo(number(3));
  }

  /// E39, E41: with nothing left no child is begun that would call a model.
  @Test
  void beginsNoChildWithNothingLeft() {
    worker("empty-worker", "{}");
    service.graph(
        """
        name: empty-boss
        limits: { max_tokens: 5 }
        channels: { messages: { reducer: messages } }
        nodes:
          - { id: think, type: llm }
          - id: work
            type: subgraph
            config: { graph: empty-worker, input: { messages: "{{ state.messages }}" } }
        edges: [{ from: __start__, to: think }, { from: think, to: work }]
        """);
    script.says("empty-boss", replies(3));

    var run = service.say("empty-boss", "#empty-boss");

    assertThat(Service.text(run, "/error/code")).isEqualTo("max_tokens_exceeded");
    assertThat(Service.text(run, "/error/node")).isEqualTo("work");
    assertThat(children(run).size()).isZero();
    var resumed = resume(run, "{\"limits\": {\"max_tokens\": 1000}}");
    assertThat(Service.text(resumed, "/status")).as(resumed.toString()).isEqualTo("succeeded");
    assertThat(Service.at(resumed, "/usage/model_calls")).isEqualTo(number(3));
  }

  /// E31: a retry begins another child; the one before is paid for.
  @Test
  void countsAChildThatHasFailed() {
    worker("again-worker", "{}");
    service.graph(
        """
        name: again-boss
        channels: { messages: { reducer: messages } }
        nodes:
          - id: work
            type: subgraph
            config: { graph: again-worker, input: { messages: "{{ state.messages }}" } }
            retry: { max_attempts: 2, initial_interval: 10ms }
        edges: [{ from: __start__, to: work }]
        """);
    script.says(
        "again-boss",
        Reply.text("fine"),
        Reply.error(503, "overloaded", "busy"),
        Reply.text("fine"),
        Reply.text("fine"));

    var run = service.say("again-boss", "#again-boss");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(children(run).size()).isEqualTo(2);
    assertThat(Service.at(run, "/usage/model_calls")).isEqualTo(number(4));
  }
}
