package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What a `tool` node asks before a call that needs approval: in which words, how long, and what
/// happens when nobody answers.
@AgentTest
class ToolQuestionApiTests {
  @LocalServerPort int port;
  @Autowired TestTools tools;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private static String graph(String name, String config) {
    return """
    name: %s
    channels: { messages: { reducer: messages } }
    context: { template: "Be {{ state.mood }}." }
    nodes: [{ id: tools, type: tool, config: { %s } }]
    edges: [{ from: __start__, to: tools }]
    """
        .formatted(name, config);
  }

  /// The run when it has asked. Not with a call that waits: that waits for a deadline, too.
  private Value asked(String graph, String tool, String arguments) {
    return reaches(started(graph, tool, arguments), "/interrupts/0/status", "open");
  }

  private Value started(String graph, String tool, String arguments) {
    var calls =
        "[{\"id\": \"c\", \"name\": \"%s\", \"arguments\": %s}]"
            .formatted(tool, arguments.replace('\'', '"'));
    var message =
        "{\"role\": \"assistant\", \"content\": \"\", \"tool_calls\": %s}".formatted(calls);
    var input = "{\"mood\": \"kind\", \"messages\": [%s]}".formatted(message);
    var body = "{\"graph\": \"%s\", \"input\": %s}".formatted(graph, input);
    return service.post("/v1/runs", Json.read(body));
  }

  private Value reaches(Value run, String pointer, String value) {
    var path = "/v1/runs/" + Service.text(run, "/id");
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> service.get(path), it -> Service.text(it, pointer).equals(value));
  }

  @Test
  void asksInTheWordsOfTheDefinition() {
    service.graph(
        graph(
            "question-words",
            "approval: always, title: \"Send {{ input.arguments.amount }} to {{ input.arguments.to"
                + " }}?\", text: \"With {{ input.name }}, {{ state.mood }}: {{ template }}\""));

    var run = asked("question-words", "transfer", "{'to': 'ann', 'amount': 5}");

    var payload = Service.at(run, "/interrupts/0/payload");
    assertThat(Service.text(payload, "/title")).as(run.toString()).isEqualTo("Send 5 to ann?");
    assertThat(Service.text(payload, "/text"))
        .isEqualTo("With transfer, kind: Be {{ state.mood }}.");
    assertThat(Service.text(payload, "/tool_call/arguments/to")).isEqualTo("ann");
  }

  @Test
  void asksForEachCallWithoutWords() {
    service.graph(graph("question-plain", "approval: always"));

    var payload =
        Service.at(
            asked("question-plain", "transfer", "{'to': 'bob', 'amount': 5}"),
            "/interrupts/0/payload");

    assertThat(Service.text(payload, "/title")).isEqualTo("May 'transfer' be called?");
  }

  /// E37
  @Test
  void answersWithTheDefaultWhenNobodyHas() {
    service.graph(
        graph(
            "question-default",
            "approval: always, expires_after: 2s, on_expiry: answer, default_answer: { decision:"
                + " reject, reason: \"no time for {{ input.name }}\" }"));

    var run = asked("question-default", "transfer", "{'to': 'late', 'amount': 5}");

    var question = Service.at(run, "/interrupts/0");
    assertThat(Service.text(question, "/on_expiry")).as(run.toString()).isEqualTo("answer");
    assertThat(Service.text(question, "/default_answer/decision")).isEqualTo("reject");
    assertThat(Service.text(reaches(run, "/status", "succeeded"), "/output/messages/1/content"))
        .contains("rejected", "no time for transfer");
    assertThat(tools.calls("transfer late")).isEmpty();
  }

  @Test
  void failsByDefaultWhenNobodyHasAnswered() {
    service.graph(graph("question-fails", "approval: always, expires_after: 300ms"));

    var run = asked("question-fails", "transfer", "{'to': 'never', 'amount': 5}");

    assertThat(Service.text(reaches(run, "/status", "failed"), "/error/code"))
        .isEqualTo("interrupt_expired");
  }

  /// What the operator wants a person to approve, no definition approves.
  @Test
  void leavesTheOperatorsApprovalToAPerson() {
    service.graph(
        graph(
            "question-operator",
            "approval: never, expires_after: 2s, on_expiry: answer,"
                + " default_answer: { decision: approve }"));

    var run = asked("question-operator", "deleteFile", "{'name': 'precious'}");

    assertThat(Service.text(run, "/interrupts/0/on_expiry")).as(run.toString()).isEqualTo("fail");
    assertThat(Service.at(run, "/interrupts/0/default_answer")).isEqualTo(Value.NULL);
    assertThat(Service.text(reaches(run, "/status", "failed"), "/error/code"))
        .isEqualTo("interrupt_expired");
    assertThat(tools.calls("delete precious")).isEmpty();
  }

  /// E37: the default is an answer like any other, also to this call.
  @Test
  void refusesADefaultThatIsNoAnswer() {
    var said =
        service.problems(
            graph(
                "question-wrong",
                "approval: always, expires_after: 1h, on_expiry: answer,"
                    + " default_answer: { decision: maybe }"));
    assertThat(said).anyMatch(it -> it.contains("/nodes/0/config/default_answer"));

    service.graph(
        graph(
            "question-other",
            "approval: always, expires_after: 1h, on_expiry: answer,"
                + " default_answer: { decision: edit, arguments: { to: eve } }"));
    var run =
        reaches(
            started("question-other", "transfer", "{'to': 'sue', 'amount': 5}"),
            "/status",
            "failed");
    assertThat(Service.text(run, "/error/code")).isEqualTo("schema_violation");
  }

  @Test
  void saysWhatHasNoEffect() {
    var said = service.problems(graph("question-idle", "approval: always, on_expiry: fail"));
    assertThat(said).isEqualTo(List.of("not_applicable /nodes/0/config/on_expiry"));
  }
}
