package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.stub.Reply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What models are told of the prompt context, and what they are not (P8, P9; "filters are not a
/// fig leaf").
@AgentTest
class SecretVariablesApiTests {
  private static final String SECRET = "s3cret-7d21";

  /// Neither node has a filter of its own. The tool node would ask if it did not see the key.
  private static final String AGENT =
      """
      name: secret-agent
      channels:
        messages: { reducer: messages }
      context:
        template: "You are {{ variables['prompt.role'] }}."
        variables: { prompt: { role: a clerk }, tool: { api_key: SECRET }, user: { number: SECRET } }
        metadata: { tenant: acme }
      nodes:
        - id: llm
          type: llm
          config:
            tools: [weather]
            prompt: "#secrets {{ variables }} {{ context }} {{ history }} {{ state }} {{ run }} {{ input }}"
        - id: tools
          type: tool
          config: { approval: when, approval_when: "!has(context.tool.api_key) || has(context.user.number)" }
      edges:
        - from: llm
          route: "state.finish_reason == 'tool_calls' ? 'tools' : '__end__'"
          targets: [tools, __end__]
        - { from: tools, to: llm }
        - { from: __start__, to: llm }
      """;

  @LocalServerPort int port;
  @Autowired Script script;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  /// P9, S4-16, S4-17: by default a model learns nothing of the variables of tools and people, a
  /// tool node those of tools alone, whatever their templates ask for; the run keeps them.
  @Test
  void tellsTheModelNothingThatItsDefaultFilterHoldsBack() {
    service.graph(AGENT.replace("SECRET", SECRET));
    script.says(
        "secrets",
        Reply.calls(new Reply.Call("c1", "weather", "{\"city\": \"Paris\"}")),
        Reply.text("Nice weather"));

    var run = service.say("secret-agent", "How is it in Paris?");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(script.asked("secrets"))
        .hasSize(2)
        .allMatch(it -> it.text().contains("prompt.role"))
        .noneMatch(it -> it.text().contains(SECRET));
    assertThat(Service.at(run, "/output").toString()).doesNotContain(SECRET);
    assertThat(service.get("/v1/runs/%s/context".formatted(Service.text(run, "/id"))).toString())
        .contains(SECRET);
  }

  /// P9: the template opens nothing that the filter closes, and says where to look.
  @Test
  void failsWhereTheTemplateNamesWhatTheNodeDoesNotSee() {
    service.graph(
        """
        name: secret-template
        channels:
          messages: { reducer: messages }
        context: { template: "You are {{ variables.role }}.", variables: { role: SECRET } }
        nodes: [{ id: llm, type: llm }]
        edges: [{ from: __start__, to: llm }]
        """
            .replace("SECRET", SECRET));

    var run = service.say("secret-template", "#closed");

    assertThat(Service.text(run, "/error/code")).isEqualTo("expression_failed");
    assertThat(Service.text(run, "/error/message"))
        .contains("role", "/context?node=llm")
        .doesNotContain(SECRET);
    assertThat(script.asked("closed")).isEmpty();
  }
}
