package dev.superstep.langgraph.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.langgraph.FaceGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Assistants over HTTP: those of graphs, and those that clients make.
@ApiTest
class LangGraphAssistantApiTests {
  private static final String CHAT = "lg-assistant-chat";
  @LocalServerPort private int port;
  private FaceClient face = new FaceClient(0);

  @BeforeEach
  void connects() {
    face = new FaceClient(port);
    face.graph(FaceGraphs.chat(CHAT));
    face.graph(FaceGraphs.question("lg-assistant-question"));
  }

  private String made(String more) {
    var body = "{\"graph_id\": \"%s\"%s}".formatted(CHAT, more);
    return face.post("/assistants", body).ok().at("/assistant_id");
  }

  private static List<String> all(FaceClient.Reply reply, String pointer) {
    var found = new ArrayList<String>();
    reply.list().forEach(it -> found.add(FaceClient.find(it, pointer)));
    return found;
  }

  @Test
  void showsEveryGraphAsAnAssistant() {
    var byName = face.get("/assistants/" + CHAT).ok();

    assertThat(byName.at("/assistant_id")).isEqualTo(AssistantIds.ofGraph(CHAT));
    assertThat(byName.at("/graph_id")).isEqualTo(CHAT);
    assertThat(byName.at("/name")).isEqualTo(CHAT);
    assertThat(byName.at("/version")).isEqualTo("1");
    assertThat(byName.at("/metadata")).isEqualTo("{\"created_by\":\"system\"}");
    assertThat(byName.at("/description")).isEqualTo("null");
    assertThat(face.get("/assistants/" + AssistantIds.ofGraph(CHAT)).ok().json())
        .isEqualTo(byName.json());
    face.get("/assistants/no-such-graph").is(404, "assistant_not_found");
    face.get("/assistants/" + UUID.randomUUID()).is(404, "assistant_not_found");
  }

  /// Each id that nobody knows has the names read anew.
  @Test
  void showsAGraphWhileOthersAskForIdsThatNobodyKnows() {
    var asking = new AtomicBoolean(true);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 4; i++) {
        threads.execute(() -> {
          while (asking.get()) {
            face.get("/assistants/" + UUID.randomUUID());
          }
        });
      }
      try {
        for (int i = 0; i < 200; i++) {
          face.get("/assistants/" + AssistantIds.ofGraph(CHAT)).ok();
        }
      } finally {
        asking.set(false);
      }
    }
  }

  @Test
  void findsAssistants() {
    var mark = UUID.randomUUID().toString();
    var first = made(", \"name\": \"Alpha\", \"metadata\": {\"mark\": \"%s\"}".formatted(mark));
    var second = made(", \"name\": \"Beta\", \"metadata\": {\"mark\": \"%s\"}".formatted(mark));
    var marked = "\"metadata\": {\"mark\": \"%s\"}".formatted(mark);

    var found = face.post("/assistants/search", "{%s}".formatted(marked)).ok();
    assertThat(all(found, "/assistant_id")).containsExactly(second, first);
    assertThat(found.header("X-Pagination-Next")).isEmpty();
    var page =
        face.post(
            "/assistants/search",
            "{%s, \"limit\": 1, \"sort_by\": \"name\", \"sort_order\": \"asc\", \"select\": [\"name\"]}"
                .formatted(marked));
    assertThat(page.text()).isEqualTo("[{\"name\":\"Alpha\"}]");
    assertThat(page.header("X-Pagination-Next")).isEqualTo("1");
    assertThat(
            all(
                face.post("/assistants/search", "{%s, \"name\": \"BET\"}".formatted(marked)),
                "/name"))
        .containsExactly("Beta");
    assertThat(face.post("/assistants/count", "{%s}".formatted(marked)).text()).isEqualTo("2");
    assertThat(
            all(
                face.post(
                    "/assistants/search",
                    "{\"graph_id\": \"%s\", \"metadata\": {\"created_by\": \"system\"}}"
                        .formatted(CHAT)),
                "/assistant_id"))
        .containsExactly(AssistantIds.ofGraph(CHAT));
  }

  @Test
  void makesAssistants() {
    var id = UUID.randomUUID().toString();
    var body =
        """
        {"graph_id": "%s", "assistant_id": "%s", "config": {"recursion_limit": 5},
         "context": {"tone": "kind"}, "description": "Says it kindly"}
        """
            .formatted(CHAT, id);
    var made = face.post("/assistants", body).ok();

    assertThat(made.at("/assistant_id")).isEqualTo(id);
    assertThat(made.at("/name")).isEqualTo("Untitled");
    assertThat(made.at("/config/recursion_limit")).isEqualTo("5");
    assertThat(made.at("/context/tone")).isEqualTo("kind");
    assertThat(made.at("/description")).isEqualTo("Says it kindly");
    assertThat(face.get("/assistants/" + id).ok().json()).isEqualTo(made.json());
    face.post("/assistants", body).is(409, "assistant_exists");
    var again =
        face.post(
            "/assistants",
            "{\"graph_id\": \"%s\", \"assistant_id\": \"%s\", \"if_exists\": \"do_nothing\"}"
                .formatted(CHAT, id));
    assertThat(again.ok().json()).isEqualTo(made.json());
    face.post("/assistants", "{}").is(422, "missing_field");
    face.post("/assistants", "{\"graph_id\": \"no-such-graph\"}").is(404, "graph_not_found");
  }

  @Test
  void keepsVersions() {
    var id = made(", \"name\": \"One\", \"metadata\": {\"a\": 1}");
    var changed =
        face.patch(
            "/assistants/" + id,
            "{\"name\": \"Two\", \"metadata\": {\"b\": 2}, \"context\": {\"x\": 1}}");

    assertThat(changed.ok().at("/version")).isEqualTo("2");
    assertThat(changed.at("/metadata")).isEqualTo("{\"a\":1,\"b\":2}");
    assertThat(changed.at("/graph_id")).isEqualTo(CHAT);
    var versions = face.post("/assistants/" + id + "/versions", "{}").ok();
    assertThat(all(versions, "/name")).containsExactly("Two", "One");
    assertThat(
            all(
                face.post("/assistants/" + id + "/versions", "{\"limit\": 1, \"offset\": 1}"),
                "/version"))
        .containsExactly("1");

    var latest = face.post("/assistants/" + id + "/latest", "{\"version\": 1}").ok();
    assertThat(latest.at("/name")).isEqualTo("One");
    assertThat(face.get("/assistants/" + id).at("/version")).isEqualTo("1");
    assertThat(face.patch("/assistants/" + id, "{}").ok().at("/version"))
        .as("numbers are not used again")
        .isEqualTo("3");
    face.post("/assistants/" + id + "/latest", "{\"version\": 9}").is(404, "assistant_not_found");
    face.post("/assistants/" + id + "/latest", "{}").is(422, "missing_field");
  }

  @Test
  void startsTheGraphThatTheAssistantOfAnotherGraphWasGiven() {
    var other = "lg-assistant-other";
    face.graph(FaceGraphs.chat(other));
    face.graph(FaceGraphs.chat(other) + "description: another version\n");
    face.patch("/assistants/" + other, "{\"graph_id\": \"%s\"}".formatted(CHAT)).ok();

    var said = "{\"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}";
    var answer =
        face.post("/runs/wait", "{\"assistant_id\": \"%s\", \"input\": %s}".formatted(other, said));

    assertThat(answer.ok().at("/messages/1/content")).isEqualTo("answer to hello");
  }

  @Test
  void changesWhatAGraphIsByItself() {
    var graph = "lg-assistant-changed";
    face.graph(FaceGraphs.chat(graph));
    var id = AssistantIds.ofGraph(graph);

    var changed = face.patch("/assistants/" + graph, "{\"context\": {\"tone\": \"dry\"}}").ok();
    assertThat(changed.at("/assistant_id")).isEqualTo(id);
    assertThat(changed.at("/version")).isEqualTo("2");
    assertThat(face.get("/assistants/" + graph).at("/context/tone")).isEqualTo("dry");
    assertThat(
            all(
                face.post("/assistants/search", "{\"graph_id\": \"%s\"}".formatted(graph)),
                "/assistant_id"))
        .containsExactly(id);

    assertThat(face.delete("/assistants/" + id).status()).isEqualTo(204);
    assertThat(face.get("/assistants/" + graph).ok().at("/context")).isEqualTo("{}");
    face.delete("/assistants/" + id).is(422, "not_supported");
  }

  @Test
  void deletesAnAssistantWithItsThreads() {
    var id = made("");
    var other = made("");
    var thread =
        face.post("/threads", "{\"metadata\": {\"assistant_id\": \"%s\"}}".formatted(id))
            .at("/thread_id");
    var kept =
        face.post("/threads", "{\"metadata\": {\"assistant_id\": \"%s\"}}".formatted(other))
            .at("/thread_id");

    assertThat(face.delete("/assistants/" + id + "?delete_threads=true").status()).isEqualTo(204);
    face.get("/assistants/" + id).is(404, "assistant_not_found");
    face.get("/threads/" + thread).is(404, "thread_not_found");
    assertThat(face.delete("/assistants/" + other).status()).isEqualTo(204);
    face.get("/threads/" + kept).ok();
  }

  @Test
  void runsWithTheConfigurationOfAnAssistant() {
    var id =
        face.post(
                "/assistants",
                "{\"graph_id\": \"lg-assistant-question\", \"config\": {\"recursion_limit\": 1}}")
            .at("/assistant_id");
    var thread = face.post("/threads", "{}").at("/thread_id");
    var run = "/threads/" + thread + "/runs/wait";

    var limited = face.post(run, "{\"assistant_id\": \"%s\", \"input\": {}}".formatted(id)).ok();
    assertThat(limited.at("/__error__/error")).isNotEmpty();
    var metadata = face.get("/threads/" + thread).ok();
    assertThat(metadata.at("/metadata/graph_id")).isEqualTo("lg-assistant-question");
    assertThat(metadata.at("/metadata/assistant_id")).isEqualTo(id);
    assertThat(face.get("/threads/" + thread + "/state").at("/metadata/assistant_id"))
        .isEqualTo(id);

    var own =
        """
        {"assistant_id": "%s", "input": {}, "config": {"recursion_limit": 9}}
        """
            .formatted(id);
    assertThat(face.post(run, own).ok().at("/__interrupt__/0/value/question")).isEqualTo("Well?");
    face.post(run, own.replace(id, UUID.randomUUID().toString())).is(404, "assistant_not_found");
  }

  @Test
  void showsNodesAndEdges() {
    var graph = face.get("/assistants/lg-assistant-question/graph").ok();

    assertThat(graph.text())
        .isEqualTo(
            "{\"edges\":[{\"source\":\"__start__\",\"target\":\"plan\"},"
                + "{\"source\":\"plan\",\"target\":\"ask\"},"
                + "{\"source\":\"ask\",\"target\":\"__end__\"}],"
                + "\"nodes\":[{\"data\":\"__start__\",\"id\":\"__start__\",\"type\":\"schema\"},"
                + "{\"data\":{\"id\":[\"superstep\",\"expression\"],\"name\":\"plan\"},\"id\":\"plan\",\"type\":\"runnable\"},"
                + "{\"data\":{\"id\":[\"superstep\",\"human\"],\"name\":\"ask\"},\"id\":\"ask\",\"type\":\"runnable\"},"
                + "{\"data\":\"__end__\",\"id\":\"__end__\",\"type\":\"schema\"}]}");
  }

  @Test
  void opensGraphsThatNodesRun() {
    face.graph(
        """
        name: lg-assistant-outer
        nodes:
          - { id: before, type: expression, config: { update: { a: 1 } } }
          - { id: inner, type: subgraph, config: { graph: lg-assistant-question } }
        edges:
          - { from: __start__, to: before }
          - { from: before, to: inner, condition: "state.a == 1" }
        """);
    var path = "/assistants/lg-assistant-outer/graph";

    assertThat(face.get(path).ok().text()).contains("\"id\":\"inner\"").doesNotContain("inner:");
    var opened = face.get(path + "?xray=true").ok();
    assertThat(opened.json()).isEqualTo(face.get(path + "?xray=1").ok().json());
    assertThat(opened.text()).doesNotContain("\"id\":\"inner\"");
    assertThat(opened.at("/edges").replace(" ", ""))
        .contains("{\"source\":\"inner:plan\",\"target\":\"inner:ask\"}")
        .contains("{\"source\":\"inner:ask\",\"target\":\"__end__\"}")
        .contains("\"source\":\"before\",\"target\":\"inner:plan\"}");
    assertThat(opened.at("/edges")).contains("\"conditional\":true");
    face.get(path + "?xray=deep").is(422, "invalid_parameter");

    var subgraphs = face.get("/assistants/lg-assistant-outer/subgraphs?recurse=true").ok();
    assertThat(subgraphs.object().asMap().keySet()).containsExactly("inner");
    assertThat(subgraphs.at("/inner/state/type")).isEqualTo("object");
    assertThat(face.get("/assistants/lg-assistant-outer/subgraphs/other").ok().text())
        .isEqualTo("{}");
  }

  @Test
  void showsSchemas() {
    var schemas = face.get("/assistants/" + CHAT + "/schemas").ok();

    assertThat(schemas.at("/graph_id")).isEqualTo(CHAT);
    assertThat(schemas.at("/input_schema/properties/messages/type")).isEqualTo("array");
    assertThat(schemas.at("/input_schema/properties/messages/items/properties/type/enum"))
        .contains("human");
    assertThat(schemas.at("/state_schema/properties/turns/type")).isEqualTo("number");
    assertThat(schemas.at("/config_schema")).isEqualTo("null");
  }
}
