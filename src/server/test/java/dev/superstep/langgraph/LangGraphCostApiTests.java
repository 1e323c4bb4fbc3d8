package dev.superstep.langgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Small requests of readers that multiply with what is stored: each is refused when it has had its
/// share of work.
@ApiTest
@Timeout(60)
class LangGraphCostApiTests {
  private static final String REFUSED = "limit_exceeded";
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
  }

  private static String numbers(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void refusesSearchesThatCompareLongLists() {
    face.graph(FaceGraphs.division("lg-cost-division"));
    var thread = face.post("/threads", "{\"metadata\": {\"lg-cost\": 1}}").ok().at("/thread_id");
    var _ =
        face.run(
            """
            {"graph": "lg-cost-division", "thread_id": "%s", "input": {"divisor": 2, "l": %s}}
            """
                .formatted(thread, numbers(0, 100_000)));
    var search = "{\"metadata\": {\"lg-cost\": 1}, \"values\": {\"l\": %s}}";

    face.post("/threads/search", search.formatted(numbers(90_000, 9_000))).is(422, REFUSED);
    face.post("/threads/count", search.formatted(numbers(90_000, 9_000))).is(422, REFUSED);

    var found = face.post("/threads/search", search.formatted("[7, 99999]")).ok();
    assertThat(found.at("/0/thread_id")).isEqualTo(thread);
    assertThat(face.post("/threads/search", search.formatted("[100000]")).ok().text())
        .isEqualTo("[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/threads/search", "/threads/count"})
  void refusesSearchesForMoreThanTheDatabaseShouldCompare(String path) {
    var deep = "{\"metadata\": {\"deep\": [{\"l\": %s}]}}";
    var text = "{\"metadata\": {\"text\": \"%s\"}}";

    isRefused(face.post(path, deep.formatted(numbers(0, 64))), "/metadata");
    isRefused(face.post(path, text.formatted("x".repeat(16 * 1024))), "/metadata");
    isRefused(face.post(path, "{\"ids\": %s}".formatted(ids(1_001))), "/ids");

    var _ = face.post(path, deep.formatted(numbers(0, 63))).ok();
    var _ = face.post(path, text.formatted("x".repeat(16_000))).ok();
    var _ = face.post(path, "{\"ids\": %s}".formatted(ids(1_000))).ok();
  }

  private static void isRefused(FaceClient.Reply reply, String pointer) {
    reply.is(422, REFUSED);
    assertThat(reply.at("/errors/0/pointer")).isEqualTo(pointer);
  }

  private static String ids(int count) {
    return IntStream.range(0, count)
        .mapToObj("\"t-%d\""::formatted)
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void refusesSearchesOfAssistantsThatCompareLongLists() {
    face.graph(FaceGraphs.chat("lg-cost-chat"));
    var made =
        face.post(
                "/assistants",
                "{\"graph_id\": \"lg-cost-chat\", \"metadata\": {\"cost\": %s}}"
                    .formatted(numbers(0, 12_000)))
            .ok();
    var wanted = "{\"metadata\": {\"cost\": %s}}".formatted(numbers(10_000, 2_000));

    face.post("/assistants/search", wanted).is(422, REFUSED);
    face.post("/assistants/count", wanted).is(422, REFUSED);
    var versions = "/assistants/" + made.at("/assistant_id") + "/versions";
    face.post(versions, wanted).is(422, REFUSED);
    assertThat(face.post(versions, "{\"metadata\": {\"cost\": [3]}}").ok().list().size())
        .isEqualTo(1);
    face.delete("/assistants/" + made.at("/assistant_id"));
  }

  /// Each of its joins leads from all of the nodes to all of them.
  @Test
  void refusesToDrawJoinsThatMultiply() {
    var nodes =
        IntStream.range(0, 300)
            .mapToObj("- { id: n%d, type: expression, config: { update: {} } }"::formatted)
            .collect(Collectors.joining("\n"));
    var ids =
        IntStream.range(0, 300)
            .mapToObj("n%d"::formatted)
            .collect(Collectors.joining(",", "[", "]"));
    var join = "- { from: %s, to: %s }\n".formatted(ids, ids);
    face.graph(
        "name: lg-cost-joins\nnodes:\n%s\nedges:\n- { from: __start__, to: n0 }\n%s"
            .formatted(nodes, join + join.replace("to:", "join: any, to:")));

    face.get("/assistants/lg-cost-joins/graph").is(422, REFUSED);
  }

  /// Eight floors of graphs that each call the next twelve times.
  @Test
  void refusesToOpenGraphsThatMultiply() {
    face.graph(FaceGraphs.chat("lg-cost-floor-0"));
    for (int floor = 1; floor <= 8; floor++) {
      var below = floor - 1;
      var nodes =
          IntStream.range(0, 12)
              .mapToObj(
                  ("- { id: n%d, type: subgraph, config: { graph: lg-cost-floor-" + below + " } }")
                      ::formatted)
              .collect(Collectors.joining("\n"));
      face.graph(
          "name: lg-cost-floor-%d\nnodes:\n%s\nedges:\n- { from: __start__, to: n0 }\n"
              .formatted(floor, nodes));
    }

    face.get("/assistants/lg-cost-floor-8/subgraphs?recurse=true").is(422, REFUSED);
    face.get("/assistants/lg-cost-floor-8/graph?xray=true").is(422, REFUSED);
    assertThat(face.get("/assistants/lg-cost-floor-8/subgraphs").ok().object().size())
        .isEqualTo(12);
  }
}
