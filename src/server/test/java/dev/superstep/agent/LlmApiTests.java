package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// `llm` nodes (definitions.md, *Node types*; S1-10, S1-11).
@AgentTest
class LlmApiTests {
  private static final String CHAT =
      """
      name: llm-chat
      channels:
        messages: { reducer: messages }
      context: { template: "You are {{ variables['prompt.role'] }}.", variables: { prompt: { role: a clerk } } }
      nodes:
        - id: llm
          type: llm
          retry: { max_attempts: 2, initial_interval: 10ms }
      edges:
        - { from: __start__, to: llm }
      """;

  @LocalServerPort int port;
  @Autowired Script script;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
    service.graph(CHAT);
  }

  /// S1-10, S1-11
  @Test
  void appendsTheAssistantsMessageAndSaysHowItEnded() {
    script.says("hello", Reply.text("Good day"));

    var run = service.say("llm-chat", "#hello");

    var state = Service.at(run, "/output");
    assertThat(Service.text(state, "/messages/1/role")).isEqualTo("assistant");
    assertThat(Service.text(state, "/messages/1/content")).isEqualTo("Good day");
    assertThat(Service.at(state, "/messages/1/metadata/usage/input_tokens"))
        .isEqualTo(Value.of(11L));
    assertThat(Service.text(state, "/finish_reason")).isEqualTo("stop");
    assertThat(Service.at(state, "/iteration")).isEqualTo(Value.of(1L));
    assertThat(script.asked("hello").getFirst().last("system")).isEqualTo("You are a clerk.");
    var context = service.get("/v1/runs/%s/context".formatted(Service.text(run, "/id")));
    assertThat(context.toString())
        .contains("\"llm.finish_reason\":\"stop\"", "\"response\":\"Good day\"");
  }

  /// S1-10: the state's system prompt stands above the graph's template.
  @Test
  void takesTheSystemPromptOfTheState() {
    script.says("system", Reply.text("ok"));

    service.run(
        "llm-chat",
        (ObjectValue)
            Json.read(
                "{\"system_prompt\": \"Be brief\", \"messages\": [{\"role\": \"user\", \"content\":"
                    + " \"#system\"}]}"));

    assertThat(script.asked("system").getFirst().last("system")).isEqualTo("Be brief");
  }

  /// A variable that chooses the model chooses it in the second turn, too: what the provider calls
  /// the model is another variable.
  @Test
  void leavesTheVariableAloneThatChoosesTheModel() {
    service.graph(
        """
        name: llm-chosen
        channels:
          messages: { reducer: messages }
        context: { variables: { llm: { model: scripted } } }
        nodes:
          - { id: first, type: llm, config: { model: "{{ context.llm.model }}" } }
          - { id: second, type: llm, config: { model: "{{ context.llm.model }}" } }
        edges:
          - { from: __start__, to: first }
          - { from: first, to: second }
        """);
    script.says("chosen", Reply.text("one"), Reply.text("two"));

    var run = service.say("llm-chosen", "#chosen");

    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    var context = service.get("/v1/runs/%s/context".formatted(Service.text(run, "/id")));
    assertThat(Service.at(context, "/variables/llm.model")).isEqualTo(Value.of("scripted"));
    assertThat(Service.at(context, "/variables").toString()).contains("\"llm.response.model\":");
  }

  /// E31: what passes is tried again, by the node's policy and not below it.
  @Test
  void triesAgainWhenTheProviderIsBusy() {
    script.says("busy", Reply.rateLimited("0.05"), Reply.text("now"));

    var run = service.say("llm-chat", "#busy");

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    assertThat(script.asked("busy")).hasSize(2);
  }

  @Test
  void failsWithTheProvidersReason() {
    script.says("long", Reply.error(400, "context_length_exceeded", "maximum context length is 8"));

    var run = service.say("llm-chat", "#long");

    assertThat(Service.text(run, "/status")).isEqualTo("failed");
    assertThat(Service.text(run, "/error/code")).isEqualTo("context_length_exceeded");
    assertThat(script.asked("long")).hasSize(1);
  }

  @Test
  void failsWhenTheAnswerWasFiltered() {
    script.says("filtered", new Reply.Cut("Well", "content_filter"));

    assertThat(Service.text(service.say("llm-chat", "#filtered"), "/error/code"))
        .isEqualTo("content_filter");
  }

  @Test
  void keepsARefusalAsAnAnswer() {
    script.says("refused", new Reply.Refusal("I would rather not"));

    var state = Service.at(service.say("llm-chat", "#refused"), "/output");

    assertThat(Service.text(state, "/messages/1/content")).isEqualTo("I would rather not");
    assertThat(Service.text(state, "/finish_reason")).isEqualTo("refusal");
  }

  /// S1-11
  @Test
  void asksOnceMoreForAnAnswerThatFitsItsSchema() {
    service.graph(structured("llm-structured"));
    script.says("shape", Reply.text("{\"n\": \"one\"}"), Reply.text("```json\n{\"n\": 1}\n```"));

    var run = service.say("llm-structured", "#shape");

    assertThat(Service.at(run, "/output/validated_content/n")).isEqualTo(Value.of(1L));
    assertThat(script.asked("shape")).hasSize(2);
    assertThat(script.asked("shape").getLast().last("user")).contains("/n");
    assertThat(Service.at(run, "/output/messages/1/metadata/usage/input_tokens"))
        .isEqualTo(Value.of(22L));
  }

  @Test
  void failsWhenTheRepairedAnswerDoesNotFitEither() {
    service.graph(structured("llm-unstructured"));
    script.says("misfit", Reply.text("no"), Reply.text("no, no"));

    var run = service.say("llm-unstructured", "#misfit");

    assertThat(Service.text(run, "/error/code")).isEqualTo("invalid_output");
    assertThat(script.asked("misfit")).hasSize(2);
  }

  private static String structured(String name) {
    return """
    name: %s
    channels:
      messages: { reducer: messages }
    nodes:
      - id: llm
        type: llm
        config:
          output_schema: { type: object, required: [n], properties: { n: { type: integer } } }
    edges:
      - { from: __start__, to: llm }
    """
        .formatted(name);
  }

  @Test
  void streamsWhenItIsTold() {
    service.graph(
        CHAT.replace("llm-chat", "llm-stream")
            .replace(
                "type: llm",
                "type: llm\n    config: { stream: true, options: { temperature: 0.5 } }"));
    script.says("stream", Reply.text("piece by piece it comes"));

    var run = service.say("llm-stream", "#stream");

    assertThat(Service.text(run, "/output/messages/1/content"))
        .isEqualTo("piece by piece it comes");
    assertThat(script.asked("stream").getFirst().isStreamed()).isTrue();
    assertThat(script.asked("stream").getFirst().text()).contains("\"temperature\":0.5");
  }

  /// Dispatched nodes do not overwrite each other's agent fields.
  @Test
  void writesOnlyItsOutputWhenItIsDispatched() {
    service.graph(
        """
        name: llm-fan
        channels:
          messages: { reducer: messages }
          answers: { reducer: append }
        nodes:
          - id: plan
            type: expression
            config: { dispatch: "{{ ['a', 'b'].map(t, {'node': 'ask', 'input': {'topic': t}}) }}" }
            targets: [ask]
          - id: ask
            type: llm
            config: { prompt: "#fan {{ input.topic }}", output_to: answers }
        edges:
          - { from: __start__, to: plan }
        """);
    script.says("fan", Reply.text("one"), Reply.text("two"));

    var output = Service.at(service.run("llm-fan", ObjectValue.empty()), "/output");

    assertThat(output.toString()).contains("\"one\"", "\"two\"");
    assertThat(((ObjectValue) output).asMap()).containsOnlyKeys("answers");
  }

  @Test
  void saysWhatADefinitionNamesThatThereIsNot() {
    assertThat(
            service.problems(
                """
                name: llm-wrong
                channels: { log: { reducer: last_value } }
                nodes:
                  - { id: a, type: llm, config: { model: nobody, tools: [nothing] } }
                  - { id: b, type: llm, config: { messages: log, options: { heat: 3 } } }
                edges:
                  - { from: __start__, to: [a, b] }
                """))
        .containsExactlyInAnyOrder(
            "unknown_model /nodes/0/config/model",
            "unknown_tool /nodes/0/config/tools/0",
            "wrong_reducer /nodes/1/config/messages",
            "bad_model_options /nodes/1/config/options/heat");
  }

  @Test
  void listsModels() {
    var models = service.get("/v1/models");

    assertThat(Service.text(models, "/items/1/name")).isEqualTo("scripted");
    assertThat(Service.at(models, "/items/1/default")).isEqualTo(Value.TRUE);
    assertThat(models.toString()).doesNotContain(AgentTest.CANARY);
  }
}
