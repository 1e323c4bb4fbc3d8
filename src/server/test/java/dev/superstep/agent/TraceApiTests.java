package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.Value;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Traces (observability of agents; definitions.md, *HTTP node*: `traceparent`).
@AgentTest
class TraceApiTests {
  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired Traces traces;
  @Autowired ToolServer server;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private Value run(String tag, String word) {
    service.graph(
        """
        name: %s
        channels:
          messages: { reducer: messages }
        nodes:
          - { id: llm, type: llm, config: { tools: [lookup], options: { temperature: 0.5, max_tokens: 9 } } }
          - { id: tools, type: tool }
          - { id: tell, type: http, config: { mode: request, url: "%s/told", method: POST, body: {} } }
        edges:
          - { from: __start__, to: llm }
          - { from: llm, to: tools }
          - { from: tools, to: tell }
        """
            .formatted(tag, server.url()));
    script.says(
        tag, Reply.calls(new Reply.Call("c1", "lookup", "{\"word\":\"%s\"}".formatted(word))));
    return service.post(
        "/v1/runs?wait=30s",
        Json.read(
            "{\"graph\":\"%1$s\",\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"#%1$s\"}]}}"
                .formatted(tag)),
        Map.of("traceparent", "00-%s-b7ad6b7169203331-01".formatted(trace(tag))));
  }

  /// Of the client.
  private static String trace(String tag) {
    var id = UUID.nameUUIDFromBytes(tag.getBytes(StandardCharsets.UTF_8));
    return id.toString().replace("-", "");
  }

  private List<SpanData> spans(Value run) {
    var id = Service.text(run, "/id");
    await().until(() -> traces.of(id).stream().anyMatch(it -> it.getName().startsWith("invoke_")));
    return traces.of(id).stream()
        .filter(it ->
            id.equals(Traces.attribute(it, "superstep.run.id"))
                || !it.getName().startsWith("invoke_"))
        .toList();
  }

  private static SpanData named(List<SpanData> spans, String name) {
    return spans.stream()
        .filter(it -> it.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(spans.stream().map(SpanData::getName).toList()));
  }

  @Test
  void showsRunSuperstepTaskModelAndTool() {
    var run = run("trace-tree", "tree");

    assertThat(Service.text(run, "/status")).isEqualTo("succeeded");
    var spans = spans(run);
    var whole = named(spans, "invoke_workflow trace-tree");
    var chat = named(spans, "chat scripted-1");
    var tool = named(spans, "execute_tool lookup");
    assertThat(whole.getTraceId()).isEqualTo(trace("trace-tree"));
    assertThat(path(spans, chat))
        .endsWith("invoke_workflow trace-tree", "superstep 1", "task llm", "chat scripted-1");
    assertThat(path(spans, tool))
        .endsWith("invoke_workflow trace-tree", "superstep 2", "task tools", "execute_tool lookup");
    assertThat(chat.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(Traces.attribute(chat, "gen_ai.operation.name")).isEqualTo("chat");
    assertThat(Traces.attribute(chat, "gen_ai.provider.name")).isEqualTo("openai");
    assertThat(Traces.attribute(chat, "gen_ai.request.model")).isEqualTo("scripted-1");
    assertThat(Traces.attribute(chat, "gen_ai.request.temperature")).isEqualTo("0.5");
    assertThat(Traces.attribute(chat, "gen_ai.usage.input_tokens")).isEqualTo("11");
    assertThat(Traces.attribute(chat, "gen_ai.response.finish_reasons")).isEqualTo("[tool_calls]");
    assertThat(Traces.attribute(tool, "gen_ai.tool.name")).isEqualTo("lookup");
    assertThat(Traces.attribute(tool, "gen_ai.tool.call.id")).isEqualTo("c1");
  }

  private static List<String> path(List<SpanData> spans, SpanData of) {
    var names = new ArrayDeque<String>();
    for (var it = of; it != null; it = parent(spans, it)) {
      names.addFirst(it.getName());
    }
    return List.copyOf(names);
  }

  private static @Nullable SpanData parent(List<SpanData> spans, SpanData of) {
    return spans.stream()
        .filter(it -> it.getSpanId().equals(of.getParentSpanId()))
        .findFirst()
        .orElse(null);
  }

  /// The trace of the client goes on in models, tools and web services.
  @Test
  void passesTheTraceOn() {
    var spans = spans(run("trace-on", "on"));

    var chat = named(spans, "chat scripted-1");
    assertThat(script.asked("trace-on").getFirst().traceparent())
        .isEqualTo("00-%s-%s-01".formatted(trace("trace-on"), chat.getSpanId()));
    assertThat(server.arrivals("/lookup/on").getFirst().traceparent())
        .isEqualTo(
            "00-%s-%s-01"
                .formatted(trace("trace-on"), named(spans, "execute_tool lookup").getSpanId()));
    assertThat(server.arrivals("/told").getLast().traceparent())
        .startsWith("00-" + trace("trace-on"));
  }

  @Test
  void recordsNoContentUnlessItIsTold() {
    var spans = spans(run("trace-content", "discretion"));

    assertThat(spans).isNotEmpty();
    assertThat(spans.toString()).doesNotContain("#trace-content", "discretion\"", "looked up");
    for (var span : spans) {
      assertThat(Traces.keys(span))
          .doesNotContain(
              "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.call.arguments");
    }
  }

  @Test
  void saysWithWhichCodeSomethingFailed() {
    service.graph(
        """
        name: trace-failure
        channels: { messages: { reducer: messages } }
        nodes: [ { id: llm, type: llm } ]
        edges: [ { from: __start__, to: llm } ]
        """);
    script.says("trace-failure", Reply.error(503, "busy", "come back later"));

    var spans = spans(service.say("trace-failure", "#trace-failure"));

    for (var name : List.of("chat scripted-1", "task llm", "invoke_workflow trace-failure")) {
      assertThat(Traces.attribute(named(spans, name), "error.type")).isEqualTo("model_unavailable");
    }
    assertThat(spans.toString()).doesNotContain("come back later");
  }
}
