package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.Glob;
import dev.superstep.http.SseClient;
import dev.superstep.security.TenantThings.Answer;
import dev.superstep.tenant.Reach;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What limited keys reach: what others have is looked at by [AttacksIT].
@KeyedApiTest
class ReachApiTests {
  private static final String OWN = "\"own_only\":true,\"roles\":[\"runner\",\"answerer\"]";

  private static final String RUN = "/v1/runs?wait=20s";

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;

  @Test
  void letsOthersGoOnInOnesOwnThread() {
    graph("talk", "{\"id\":\"a\",\"type\":\"router\"}");
    var mine = caller("talk-mine", OWN);
    ok(
        post(
            mine,
            "/v1/runs?wait=20s",
            "{\"graph\":\"talk\",\"id\":\"talk-1\",\"thread_id\":\"talk\",\"input\":{}}"));
    ok(
        post(
            everybody(),
            "/v1/runs?wait=20s",
            "{\"graph\":\"talk\",\"id\":\"talk-2\",\"thread_id\":\"talk\",\"input\":{}}"));

    assertThat(ok(get(mine, "/v1/threads/talk/runs"))).contains("talk-1", "talk-2");
    assertThat(ok(get(mine, "/v1/runs/talk-2"))).contains("\"talk-2\"");
    assertThat(ok(get(mine, "/v1/runs?graph=talk"))).contains("talk-1").doesNotContain("talk-2");
    assertThat(ok(get(mine, "/v1/threads"))).contains("\"talk\"");
    assertThat(get(caller("talk-other", OWN), "/v1/runs/talk-1").status()).isEqualTo(404);
  }

  /// A child has the reach of the run that has begun it, whatever its graph.
  @Test
  void reachesChildrenOfItsRuns() {
    graph("inner", "{\"id\":\"a\",\"type\":\"human\",\"config\":{\"payload\":\"?\"}}");
    graph(
        "outer",
        "{\"id\":\"a\",\"type\":\"subgraph\",\"config\":{\"graph\":\"inner\",\"input\":{}}}");
    var team = caller("outer-team", "\"graphs\":[\"outer\"],\"roles\":[\"runner\",\"answerer\"]");
    var run =
        ok(
            post(
                team,
                "/v1/runs?wait=20s",
                "{\"graph\":\"outer\",\"id\":\"outer-1\",\"input\":{}}"));
    assertThat(run).contains("interrupted");
    assertThat(post(team, "/v1/runs", "{\"graph\":\"inner\",\"input\":{}}").status())
        .isEqualTo(404);
    assertThat(get(team, "/v1/graphs/inner").status()).isEqualTo(404);

    var children = ok(get(team, "/v1/runs?parent=outer-1"));
    var child = children.replaceAll("(?s).*?\"id\":\"([^\"]+)\".*", "$1");
    assertThat(ok(get(team, "/v1/runs/" + child))).contains("\"inner\"");
    var open = ok(get(team, "/v1/interrupts?status=open"));
    var question = open.replaceAll("(?s).*?\"id\":\"([^\"]+)\".*", "$1");
    ok(post(team, "/v1/interrupts/" + question + "/answer", "{\"value\":1}"));
    var others = caller("inner-others", "\"graphs\":[\"talk*\"],\"roles\":[\"answerer\"]");
    assertThat(get(others, "/v1/interrupts/" + question).status()).isEqualTo(404);
    assertThat(ok(get(others, "/v1/interrupts"))).doesNotContain(question);
  }

  @Test
  void keepsAMemoryForEachOwner() {
    var one = caller("memory-one", OWN);
    var two = caller("memory-two", OWN);
    for (var caller : List.of(one, two)) {
      ok(
          call(
              caller,
              "PUT",
              "/langgraph/store/items",
              "{\"namespace\":[\"notes\"],\"key\":\"k\",\"value\":{\"of\":\"%s\"}}"
                  .formatted(caller.tenant())));
    }
    for (var caller : List.of(one, two)) {
      assertThat(ok(get(caller, "/langgraph/store/items?namespace=notes&key=k")))
          .contains("[\"notes\"]", "\"" + caller.tenant() + "\"");
      var found = ok(post(caller, "/langgraph/store/items/search", "{\"namespace_prefix\":[]}"));
      assertThat(found).containsOnlyOnce("\"of\"").contains("\"" + caller.tenant() + "\"");
      assertThat(ok(post(caller, "/langgraph/store/namespaces", "{}")))
          .isEqualTo("{\"namespaces\":[[\"notes\"]]}");
    }
    assertThat(ok(post(everybody(), "/langgraph/store/namespaces", "{}"))).contains(",\"notes\"]");
    var team = caller("memory-team", "\"graphs\":[\"talk\"],\"roles\":[\"runner\"]");
    assertThat(post(team, "/langgraph/store/items/search", "{}").status()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"graphs\":[\"a\"],\"roles\":[\"admin\"]                | /graphs",
        "\"graphs\":[],\"roles\":[\"viewer\"]                   | /graphs",
        "\"graphs\":[\"a\",\"acme/b\"],\"roles\":[\"viewer\"]   | /graphs/1",
        "\"graphs\":[\"a\",null],\"roles\":[\"viewer\"]         | /graphs/1",
        "\"own_only\":true,\"roles\":[\"author\"]              | /own_only",
        "\"own_only\":true,\"roles\":[\"operator\"]            | /own_only",
        "\"own_only\":true,\"roles\":[\"worker\"]              | /own_only",
        "\"task_types\":[\"a\"],\"roles\":[\"viewer\"]        | /task_types",
        "\"task_types\":[\"a\"],\"roles\":[\"admin\"]         | /task_types",
        "\"task_types\":[],\"roles\":[\"worker\"]              | /task_types",
        "\"task_types\":[\"a\",\"b c\"],\"roles\":[\"worker\"] | /task_types/1"
      })
  void refusesLimitsThatCannotHold(String limit, String pointer) {
    var answer = post(everybody(), "/v1/keys", "{\"name\":\"x\",%s}".formatted(limit));
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    assertThat(answer.text()).contains("\"pointer\":\"" + pointer + "\"");
  }

  @Test
  void postsGraphsOfItsOwnOnly() {
    var author = caller("author-team", "\"graphs\":[\"team-*\"],\"roles\":[\"author\"]");
    var node = "{\"id\":\"a\",\"type\":\"router\"}";
    ok(post(author, "/v1/graphs", definition("team-a", node)));
    assertThat(post(author, "/v1/graphs", definition("others-a", node)).status()).isEqualTo(403);
    graph("others-b", node);
    var calls =
        "{\"id\":\"a\",\"type\":\"subgraph\",\"config\":{\"graph\":\"others-b\",\"input\":{}}}";
    assertThat(post(author, "/v1/graphs", definition("team-b", calls)).text())
        .contains("unknown_graph");
  }

  /// Nobody knows yet of which graphs their runs will be.
  @Test
  void leavesEmptyThreadsToTheirMakers() {
    ok(post(everybody(), "/v1/threads", "{\"thread_id\":\"empty\"}"));
    jdbc.sql("insert into thread (id) values ('nobodys-empty')").update();
    var team = caller("empty-team", "\"graphs\":[\"talk*\"],\"roles\":[\"operator\"]");
    var mine = caller("empty-mine", OWN);
    for (var caller : List.of(team, mine)) {
      for (var thread : List.of("empty", "nobodys-empty")) {
        assertThat(get(caller, "/v1/threads/" + thread).status()).isEqualTo(404);
        assertThat(ok(get(caller, "/v1/threads"))).doesNotContain("\"" + thread + "\"");
        assertThat(call(caller, "PATCH", "/v1/threads/" + thread, "{\"metadata\":{}}").status())
            .isEqualTo(404);
      }
    }
    ok(post(team, "/v1/threads", "{\"thread_id\":\"empty-own\"}"));
    ok(get(team, "/v1/threads/empty-own"));
  }

  /// Whoever follows a thread is told nothing of what happens in it out of reach.
  @Test
  @Timeout(60)
  void endsStreamsOfThreadsThatLeaveItsReach() {
    graph("left-mine", "{\"id\":\"a\",\"type\":\"router\"}");
    graph("left-others", "{\"id\":\"a\",\"type\":\"router\"}");
    var secret = secret("left-team", "\"graphs\":[\"left-mine\"],\"roles\":[\"runner\"]");
    var team = new TenantThings(port, "left-team", "", secret);
    ok(post(team, RUN, inThread("left-mine", "left-1")));
    var path = "/langgraph/threads/left/stream/events";
    var body = "{\"channels\":[\"values\",\"lifecycle\"],\"since\":0}";
    try (var stream = SseClient.post(port, path, body, "Authorization", "Bearer " + secret)) {
      var _ = stream.until(it -> it.text("/params/data/event").equals("completed"));

      ok(post(everybody(), RUN, inThread("left-others", "left-2")));

      assertThat(stream.rest()).isEmpty();
    }
    assertThat(post(team, path, body).status()).isEqualTo(404);
  }

  private static String inThread(String graph, String run) {
    return "{\"graph\":\"%s\",\"id\":\"%s\",\"thread_id\":\"left\",\"input\":{}}"
        .formatted(graph, run);
  }

  @Test
  void takesInlineGraphsForTheirDefinition() {
    var reach = new Reach("k", List.of(Glob.of("*-public")), List.of());
    var expression = Reach.expression(reach.all());
    for (var name : List.of("payroll#notes-public", "payroll")) {
      assertThat(jdbc.sql("select ? ~ ?").params(name, expression).query(Boolean.class).single())
          .isFalse();
    }
    for (var name : List.of("notes-public", "notes-public#inner")) {
      assertThat(jdbc.sql("select ? ~ ?").params(name, expression).query(Boolean.class).single())
          .isTrue();
    }
  }

  @Test
  void forksNoRunOfAGraphThatItMayNotStart() {
    graph("forked-inner", "{\"id\":\"a\",\"type\":\"router\"}");
    graph(
        "forked-outer",
        "{\"id\":\"a\",\"type\":\"subgraph\",\"config\":{\"graph\":\"forked-inner\",\"input\":{}}}");
    var team = caller("forked-team", "\"graphs\":[\"forked-outer\"],\"roles\":[\"runner\"]");
    ok(
        post(
            team,
            "/v1/runs?wait=20s",
            "{\"graph\":\"forked-outer\",\"id\":\"forked-1\",\"input\":{}}"));
    var child =
        ok(get(team, "/v1/runs?parent=forked-1")).replaceAll("(?s).*?\"id\":\"([^\"]+)\".*", "$1");
    assertThat(post(team, "/v1/runs/" + child + "/fork", "{\"checkpoint\":0}").status())
        .isEqualTo(403);
    ok(post(team, "/v1/runs/forked-1/fork", "{\"checkpoint\":0}"));
  }

  /// One before would not look at the limits.
  @Test
  void isUnknownToAReleaseBefore() throws Exception {
    var secret = secret("unknown", OWN);
    var digest =
        MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    assertThat(
            jdbc.sql("select count(*) from api_key where digest = ?")
                .param(digest)
                .query(Integer.class)
                .single())
        .isZero();
  }

  private void graph(String name, String node) {
    ok(post(everybody(), "/v1/graphs", definition(name, node)));
  }

  private static String definition(String name, String node) {
    return "{\"name\":\"%s\",\"nodes\":[%s],\"edges\":[{\"from\":\"__start__\",\"to\":\"a\"}]}"
        .formatted(name, node);
  }

  private TenantThings everybody() {
    return new TenantThings(port, "everybody", "", "alpha");
  }

  private TenantThings caller(String name, String limit) {
    return new TenantThings(port, name, "", secret(name, limit));
  }

  private String secret(String name, String limit) {
    var made = ok(post(everybody(), "/v1/keys", "{\"name\":\"%s\",%s}".formatted(name, limit)));
    return made.replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
  }

  private static Answer get(TenantThings caller, String target) {
    return call(caller, "GET", target, "");
  }

  private static Answer post(TenantThings caller, String target, String body) {
    return call(caller, "POST", target, body);
  }

  private static Answer call(TenantThings caller, String method, String target, String body) {
    return caller.call(method, target, body, Map.of());
  }

  private static String ok(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isBetween(200, 299);
    return answer.text();
  }
}
