package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.json.Json;
import dev.superstep.model.stub.Reply;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Tools whose results come from outside, behind their replies (E51).
@AgentTest
class CallbackToolApiTests {
  private static final Duration LONG = Duration.ofSeconds(60);

  @LocalServerPort int port;
  @Autowired Script script;
  @Autowired ToolServer server;
  private Service service = new Service(0);

  @BeforeEach
  void connects() {
    service = new Service(port);
  }

  private String graph(String name, String path, String execution) {
    return """
    name: %1$s
    channels: { messages: { reducer: messages } }
    tools:
      render: { url: "%2$s%3$s", method: GET, description: Renders., execution: %4$s }
      find: { url: "%2$s/lookup/%1$s-find", method: GET, description: Finds. }
    nodes:
      - { id: llm, type: llm, config: { tools: [render, find] } }
      - id: tools
        type: tool
        config: { callback: { tools: [render], deadline: 1h } }
    edges:
      - { from: __start__, to: llm }
      - { from: llm, to: tools }
    """
        .formatted(name, server.url(), path, execution);
  }

  private static Reply.Call call(String id, String name) {
    return new Reply.Call(id, name, "{\"n\": \"%s\"}".formatted(id));
  }

  private String begin(String graph, Reply.Call... calls) {
    script.says(graph, Reply.calls(calls));
    var input =
        Json.read("{\"messages\": [{\"role\": \"user\", \"content\": \"#%s\"}]}".formatted(graph));
    var run = service.post("/v1/runs", ObjectValue.of("graph", graph).plus("input", input));
    return Service.text(run, "/id");
  }

  private List<ToolServer.Arrival> arrived(String path, int count) {
    return await().atMost(LONG).until(() -> server.arrivals(path), it -> it.size() >= count);
  }

  /// Where a call is answered.
  private static String path(ToolServer.Arrival arrival) {
    var url = arrival.callback();
    return url.substring(url.indexOf("/v1/callbacks/"));
  }

  private void answer(String path, String body) {
    service.tell(path, Json.read(body));
  }

  private Value ended(String run) {
    return await()
        .atMost(LONG)
        .until(
            () -> service.get("/v1/runs/" + run + "?wait=10s"),
            it -> List.of("succeeded", "failed").contains(Service.text(it, "/status")));
  }

  @Test
  void waitsForTheResultsOfOneCallAfterTheOther() {
    service.graph(graph("called-tools", "/lookup/called-render", "idempotent"));
    var run = begin("called-tools", call("c1", "render"), call("c2", "render"), call("c3", "find"));

    var first = arrived("/lookup/called-render", 1);
    assertThat(arrived("/lookup/called-tools-find", 1).getFirst().callback()).isEqualTo("null");
    assertThat(first).hasSize(1);
    answer(path(first.getFirst()), "{\"video\": \"v.mp4\"}");
    var second = arrived("/lookup/called-render", 2).getLast();
    assertThat(second.callback()).isNotEqualTo(first.getFirst().callback());
    answer(path(second) + "/failure", "{\"code\": \"no_gpu\", \"message\": \"all are busy\"}");

    var output = Service.at(ended(run), "/output");
    assertThat(Service.text(output, "/messages/2/content")).isEqualTo("{\"video\":\"v.mp4\"}");
    assertThat(Service.text(output, "/messages/3/content")).contains("all are busy");
    assertThat(Service.text(output, "/messages/4/content")).isEqualTo("looked up");
    assertThat(server.arrivals("/lookup/called-render")).hasSize(2);
  }

  /// Nobody is asked what has become of it, and nobody calls it again.
  @Test
  void waitsForACallThatMayBeMadeOnceOnly() {
    service.graph(graph("called-once", "/lookup/once-render", "at_most_once"));
    var run = begin("called-once", call("c1", "render"));

    answer(path(arrived("/lookup/once-render", 1).getFirst()), "\"done\"");

    var ended = ended(run);
    assertThat(Service.text(ended, "/status")).as(ended.toString()).isEqualTo("succeeded");
    assertThat(Service.text(ended, "/output/messages/2/content")).isEqualTo("done");
    assertThat(server.arrivals("/lookup/once-render")).hasSize(1);
  }

  /// Its token opens no other call.
  @Test
  void refusesAnswersToACallThatHasFailed() {
    service.graph(graph("called-shaky", "/shaky/render", "idempotent"));
    var run = begin("called-shaky", call("c1", "render"), call("c2", "render"));

    var ended = ended(run);

    assertThat(Service.text(ended, "/status")).as(ended.toString()).isEqualTo("succeeded");
    var calls = server.arrivals("/shaky/render");
    assertThat(calls).extracting(ToolServer.Arrival::callback).doesNotHaveDuplicates();
    assertThat(Service.text(service.post(path(calls.getFirst()), Value.of(1)), "/code"))
        .isEqualTo("callback_closed");
  }

  @Test
  void isOnlyForToolsThatAreToldWhereToAnswer() {
    assertThat(
            service.problems(
                graph("called-wrong", "/lookup/x", "idempotent")
                    .replace("[render], deadline", "[weather], deadline")))
        .containsExactly("not_applicable /nodes/1/config/callback/tools/0");
  }
}
