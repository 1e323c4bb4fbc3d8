package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.http.SseClient;
import dev.superstep.http.SseClient.Message;
import dev.superstep.langgraph.FaceClient;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// A commit says how each of its tasks has ended, also of those that change nothing.
@ApiTest
class TaskEndApiTests {
  @LocalServerPort private int port;

  @Test
  void saysHowEachTaskHasEnded() {
    var face = new FaceClient(port);
    face.graph(
        """
        name: ends-inner
        nodes: [{ id: deep, type: router }]
        edges: [{ from: __start__, to: deep }]
        """);
    face.graph(
        """
        name: ends
        nodes:
          - { id: writes, type: expression, config: { update: { n: 1 } } }
          - { id: quiet, type: router }
          - { id: breaks, type: expression, on_error: continue, config: { update: { m: "{{ 1 / 0 }}" } } }
          - { id: calls, type: subgraph, config: { graph: ends-inner, input: {}, result: { update: {} } } }
        edges: [{ from: __start__, to: [writes, quiet, breaks, calls] }]
        """);
    Message commit;
    try (var stream =
        SseClient.post(
            port, "/v1/runs/stream?with=changes", "{\"graph\": \"ends\", \"input\": {}}")) {
      commit = stream.until(it -> it.type().equals("superstep.committed"));
    }
    assertThat(commit.text("/changes/0/node")).isEqualTo("writes");
    assertThat(FaceClient.find(commit.data(), "/changes/0/change"))
        .isEqualTo("{\"update\":{\"n\":1}}");
    assertThat(commit.text("/changes/1/node")).isEqualTo("quiet");
    assertThat(FaceClient.find(commit.data(), "/changes/1/change")).isEqualTo("{}");
    assertThat(commit.text("/changes/2/node")).isEqualTo("breaks");
    assertThat(commit.text("/changes/2/error/message")).isNotEmpty();
    assertThat(commit.text("/changes/3/node")).isEqualTo("calls");
    assertThat(commit.text("/changes/3/child_run_id")).isNotEmpty();
  }
}
