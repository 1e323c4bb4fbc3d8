package dev.superstep.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.security.Operations.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Every operation of both OpenAPI documents, and which roles may call it. The table of
/// docs/security.md is written by `-Dsuperstep.reference.write=true`.
@KeyedApiTest
class RolesApiTests {
  private static final Path PAGE = Path.of("docs/security.md");
  private static final String START =
      "<!-- operations: generated from the OpenAPI documents, RolesApiTests compares -->\n";
  private static final String END = "<!-- end of operations -->";

  @LocalServerPort private int port;

  @Test
  void showsTheRolesOfEveryOperation() throws Exception {
    var page = Files.readString(PAGE);
    var from = page.indexOf(START) + START.length();
    var to = page.indexOf(END);
    if (Boolean.getBoolean("superstep.reference.write")) {
      Files.writeString(PAGE, page.substring(0, from) + table() + page.substring(to));
    } else {
      assertThat(page.substring(from, to))
          .as("write it by -Dsuperstep.reference.write=true")
          .isEqualTo(table());
    }
  }

  /// As the page says.
  @ParameterizedTest
  @EnumSource(Role.class)
  void letsARoleDoWhatThePageSaysAndNothingElse(Role role) throws Exception {
    var may = operations(role);
    var key = key("matrix-" + role.text(), "\"roles\":[\"%s\"]".formatted(role.text()));
    var all = calls();
    assertThat(all).as("operations of both documents").hasSizeGreaterThan(100);
    for (var call : all) {
      var answer = call(call.method(), target(call), key, "{}");
      if (call.scopes().isEmpty() || may.contains(call.toString())) {
        assertThat(answer)
            .as("%s, %s", role, call)
            .doesNotStartWith("HTTP/1.1 401")
            .doesNotStartWith("HTTP/1.1 500")
            .doesNotContain("WWW-Authenticate: Bearer error");
      } else {
        assertThat(answer)
            .as("%s, %s", role, call)
            .startsWith("HTTP/1.1 403")
            .containsAnyOf("\"code\":\"insufficient_scope\"", "WWW-Authenticate: Bearer error");
      }
    }
  }

  private static final String ASKS =
      """
      {"name": "asks-a-person", "channels": {"said": {}}, "nodes": [{"id": "ask", "type": "human",
       "config": {"payload": "?"}}, {"id": "send", "type": "router"}],
       "edges": [{"from": "__start__", "to": "ask"}, {"from": "ask", "to": "send"}]}
      """;

  /// By no way: not by an answer, and not by saying what runs next in place of the node that asks.
  @Test
  void letsNobodyAnswerWhoMayOnlyRun() throws Exception {
    assertThat(call("POST", "/v1/graphs", "alpha", ASKS)).startsWith("HTTP/1.1 20");
    var runner = key("only-runs", "\"roles\":[\"runner\"]");
    var thread = "of-a-runner";
    var start = "{\"graph\":\"asks-a-person\",\"input\":{},\"thread_id\":\"%s\"}";
    var run = member(call("POST", "/v1/runs?wait=30s", runner, start.formatted(thread)), "id");
    var question = member(call("GET", "/v1/runs/%s/interrupts".formatted(run), runner, ""), "id");
    var runs = "/langgraph/threads/%s/runs".formatted(thread);
    var assistant = "\"assistant_id\":\"asks-a-person\"";

    var refused =
        List.of(
            new Attempt("/v1/interrupts/%s/answer".formatted(question), "{\"value\":1}"),
            new Attempt("/v1/runs/%s/resume".formatted(run), "{\"answers\":[{\"value\":1}]}"),
            new Attempt(
                "/v1/runs/%s/resume".formatted(run), "{\"resolve\":[{\"task_id\":\"0:ask\"}]}"),
            new Attempt("/v1/runs/%s/resume".formatted(run), "{\"goto\":[\"send\"]}"),
            new Attempt(
                "/v1/runs/%s/fork".formatted(run), "{\"checkpoint\":0,\"as_node\":\"ask\"}"),
            new Attempt(
                "/v1/runs/%s/fork".formatted(run), "{\"checkpoint\":0,\"as_node\":\"__end__\"}"),
            new Attempt(
                "/v1/runs/%s/resume".formatted(run),
                "{\"change\":{\"update\":{\"said\":1}},\"continue\":false}"),
            new Attempt(
                "/v1/runs/%s/fork".formatted(run),
                "{\"checkpoint\":0,\"change\":{\"update\":{\"said\":1}}}"),
            new Attempt(
                "/langgraph/threads/%s/state".formatted(thread), "{\"values\":{\"said\":1}}"),
            new Attempt(runs, "{%s,\"command\":{\"update\":{\"said\":1}}}".formatted(assistant)),
            new Attempt(runs, "{%s,\"command\":{\"resume\":1}}".formatted(assistant)),
            new Attempt(
                runs + "/wait", "{%s,\"command\":{\"goto\":\"send\"}}".formatted(assistant)),
            new Attempt(
                runs + "/stream", "{%s,\"command\":{\"goto\":\"__end__\"}}".formatted(assistant)),
            new Attempt(
                "/langgraph/threads/%s/state".formatted(thread),
                "{\"values\":{},\"as_node\":\"ask\"}"));
    for (var attempt : refused) {
      assertThat(call("POST", attempt.path(), runner, attempt.body()))
          .as("%s", attempt)
          .startsWith("HTTP/1.1 403");
    }
    assertThat(call("GET", "/v1/interrupts/" + question, runner, "")).contains("\"open\"");
    assertThat(call("GET", "/v1/runs/" + run, runner, "")).contains("\"interrupted\"");

    var fork = "{\"checkpoint\":0,\"thread_id\":\"forked\"}";
    assertThat(call("POST", "/v1/runs/%s/fork?wait=30s".formatted(run), runner, fork))
        .as("a fork asks again")
        .startsWith("HTTP/1.1 20")
        .contains("\"interrupted\"");
    var answerer = key("only-answers", "\"roles\":[\"answerer\"]");
    assertThat(call("POST", "/v1/runs", answerer, start.formatted("t"))).startsWith("HTTP/1.1 403");
    assertThat(call("POST", refused.getFirst().path() + "?wait=30s", answerer, "{\"value\":1}"))
        .startsWith("HTTP/1.1 20")
        .contains("\"succeeded\"");
  }

  private record Attempt(String path, String body) {}

  private static String member(String answer, String name) {
    return answer.replaceFirst("(?s).*?\"" + name + "\":\"([^\"]+)\".*", "$1");
  }

  /// Which would say how the task ends that waits for it.
  @Test
  void letsNobodyCancelAQuestionOfATaskWhoMayOnlyRun() throws Exception {
    assertThat(call("POST", "/v1/graphs", "alpha", ASKS)).startsWith("HTTP/1.1 20");
    var above =
        """
        {"name": "asks-below", "nodes": [{"id": "sub", "type": "subgraph",
         "config": {"graph": "asks-a-person", "input": {}}, "on_error": "continue"}],
         "edges": [{"from": "__start__", "to": "sub"}]}
        """;
    assertThat(call("POST", "/v1/graphs", "alpha", above)).startsWith("HTTP/1.1 20");
    var runner = key("cancels", "\"roles\":[\"runner\"]");
    var start = "{\"graph\":\"asks-below\",\"input\":{}}";
    var run = member(call("POST", "/v1/runs?wait=30s", runner, start), "id");
    var asked = call("GET", "/v1/runs/%s/interrupts".formatted(run), runner, "");
    var child = asked.replaceFirst("(?s).*\"run_id\":\"(?!%s)([^\"]+)\".*".formatted(run), "$1");
    assertThat(child).as(asked).isNotEqualTo(asked);

    assertThat(call("POST", "/v1/runs/%s/cancel".formatted(child), runner, "{}"))
        .startsWith("HTTP/1.1 403")
        .contains("WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"answer\"");
    assertThat(call("GET", "/v1/runs/" + child, runner, "")).contains("\"interrupted\"");
    assertThat(call("POST", "/v1/runs/%s/cancel?wait=30s".formatted(run), runner, "{}"))
        .startsWith("HTTP/1.1 20")
        .contains("\"cancelled\"");
  }

  /// Whatever the way, in the run itself and in one that it has begun.
  @ParameterizedTest
  @ValueSource(strings = {"four-eyes", "four-eyes-above"})
  void letsSomebodyElseAnswerThanWhoHasStartedTheRun(String graph) throws Exception {
    var ask =
        ASKS.replace("asks-a-person", "four-eyes")
            .replace("\"payload\"", "\"may_answer\": \"other_than_starter\", \"payload\"");
    var above =
        """
        {"name": "four-eyes-above", "nodes": [{"id": "sub", "type": "subgraph",
         "config": {"graph": "four-eyes", "input": {}}}],
         "edges": [{"from": "__start__", "to": "sub"}]}
        """;
    assertThat(call("POST", "/v1/graphs", "alpha", ask)).startsWith("HTTP/1.1 20");
    assertThat(call("POST", "/v1/graphs", "alpha", above)).startsWith("HTTP/1.1 20");
    var starter = key("starts-" + graph, "\"scopes\":[\"read\",\"run\"]");
    var other = key("approves-" + graph, "\"roles\":[\"answerer\"]");
    var start = "{\"graph\":\"%s\",\"input\":{},\"thread_id\":\"of-%s\"}".formatted(graph, graph);
    var run = member(call("POST", "/v1/runs?wait=30s", starter, start), "id");
    var asked = call("GET", "/v1/runs/%s/interrupts".formatted(run), starter, "");
    assertThat(asked).contains("\"may_answer\":\"other_than_starter\"");
    var question = member(asked, "id");

    for (var attempt :
        List.of(
            new Attempt("/v1/interrupts/%s/answer".formatted(question), "{\"value\":1}"),
            new Attempt("/v1/runs/%s/resume".formatted(run), "{\"answers\":[{\"value\":1}]}"),
            new Attempt(
                "/v1/runs/%s/resume".formatted(run),
                "{\"answers\":[{\"interrupt_id\":\"%s\",\"value\":1}]}".formatted(question)),
            new Attempt(
                "/v1/runs/%s/resume".formatted(run),
                "{\"answers\":[{\"value\":1}],\"limits\":{\"max_supersteps\":9}}"),
            new Attempt(
                "/langgraph/threads/of-%s/runs".formatted(graph),
                "{\"assistant_id\":\"%s\",\"command\":{\"resume\":1}}".formatted(graph)))) {
      assertThat(call("POST", attempt.path(), starter, attempt.body()))
          .as("%s", attempt)
          .startsWith("HTTP/1.1 403")
          .contains("somebody else");
    }
    assertThat(call("GET", "/v1/interrupts/" + question, starter, "")).contains("\"open\"");
    assertThat(
            call(
                "POST",
                "/v1/interrupts/%s/answer?wait=30s".formatted(question),
                other,
                "{\"value\":1}"))
        .startsWith("HTTP/1.1 20");
    await()
        .untilAsserted(() ->
            assertThat(call("GET", "/v1/runs/" + run, starter, "")).contains("\"succeeded\""));
  }

  @Test
  void makesNoKeyWithRolesThatItsMakerLacks() throws Exception {
    var keys = key("makes-keys", "\"roles\":[\"viewer\"],\"scopes\":[\"admin\"]");
    var body = "{\"name\":\"%s\",\"roles\":[\"%s\"]}";
    assertThat(call("POST", "/v1/keys", keys, body.formatted("looks", "viewer")))
        .startsWith("HTTP/1.1 201")
        .contains("\"roles\":[\"viewer\"]", "\"scopes\":[\"read\"]");
    assertThat(call("POST", "/v1/keys", keys, body.formatted("starts", "runner")))
        .startsWith("HTTP/1.1 403")
        .contains("\"scope\":\"run\"");
    assertThat(call("POST", "/v1/keys", keys, body.formatted("all", "admin")))
        .startsWith("HTTP/1.1 403");
  }

  /// Whoever has no key may do nothing.
  @Test
  void letsNobodyDoWhatNoRoleSays() throws Exception {
    for (var call : calls()) {
      assertThat(call(call.method(), target(call), "nobody", "{}"))
          .as("%s", call)
          .satisfies(it -> {
            if (!call.scopes().isEmpty()) {
              assertThat(it).startsWith("HTTP/1.1 401");
            }
          });
    }
  }

  private Set<String> operations(Role role) throws IOException {
    var page = Files.readString(PAGE);
    var cells =
        page.substring(page.indexOf(START) + START.length(), page.indexOf(END))
            .lines()
            .skip(2)
            .map(it -> it.split("\\|"))
            .filter(it -> List.of(it[2].strip().split(", ")).contains(role.text()));
    return cells
        .flatMap(it -> Arrays.stream(it[3].strip().split(", ")))
        .map(it -> it.replace("`", ""))
        .collect(Collectors.toSet());
  }

  private String table() throws IOException {
    var rows = new TreeMap<String, Set<String>>();
    for (var call : calls()) {
      var scope = call.scopes().stream().map("`%s`"::formatted).collect(Collectors.joining(", "));
      rows.computeIfAbsent(
              "| %s | %s |".formatted(scope.isEmpty() ? "none" : scope, roles(call.scopes())),
              _ -> new TreeSet<>())
          .add("`" + call + "`");
    }
    var table = new StringBuilder("| scope | roles | operations |\n|---|---|---|\n");
    rows.forEach((row, operations) ->
        table.append("%s %s |\n".formatted(row, String.join(", ", operations))));
    return table.toString();
  }

  private static String roles(List<String> scopes) {
    if (scopes.isEmpty()) {
      return "everybody";
    }
    return Stream.of(Role.values())
        .filter(role -> role.scopes().stream().map(ApiScope::text).anyMatch(scopes::contains))
        .map(Role::text)
        .collect(Collectors.joining(", "));
  }

  private List<Operation> calls() throws IOException {
    return Operations.of(port, "alpha");
  }

  private static String target(Operation call) {
    return call.path().replaceAll("\\{[^}]*}", "00000000-0000-4000-8000-000000000000");
  }

  private String key(String name, String grant) throws IOException {
    var made = call("POST", "/v1/keys", "alpha", "{\"name\":\"%s\",%s}".formatted(name, grant));
    assertThat(made).startsWith("HTTP/1.1 201");
    return made.replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
  }

  private String call(String method, String path, String key, String body) throws IOException {
    var content = method.equals("GET") ? "" : body;
    return RawHttp.sendBody(
        method,
        port,
        path,
        content,
        "Host: superstep.example",
        "Authorization: Bearer " + key,
        "Content-Type: application/json",
        "Content-Length: " + content.getBytes(UTF_8).length);
  }
}
