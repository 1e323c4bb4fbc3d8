package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import dev.superstep.json.Json;
import dev.superstep.secret.CallerTokenCodes;
import dev.superstep.security.AuthorizationServer;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Tools that are called with the token of who has started the run, which a real authorization
/// server has made, and exchanges.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "management.server.port=0",
      "superstep.api-keys=alpha",
      "superstep.egress.allow=127.0.0.1:*,localhost:*",
      "superstep.auth.jwt.audience=" + AuthorizationServer.AUDIENCE,
      "superstep.auth.jwt.scope-prefix=superstep:",
      "superstep.auth.exchange.one.client-id=" + AuthorizationServer.EXCHANGER,
      "superstep.auth.exchange.one.client-secret=property:secret.of.this.test",
      "secret.of.this.test=" + AuthorizationServer.EXCHANGER_SECRET,
      "superstep.tracing.enabled=true",
      "logging.level.org.springframework.web.client=debug",
      "logging.level.io.modelcontextprotocol=debug"
    })
@Import(TestDatabase.class)
@ExtendWith(OutputCaptureExtension.class)
class OnBehalfApiTests {
  private static final AuthorizationServer ISSUER = AuthorizationServer.start();
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String DESK = "desk-of-this-test";
  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static OnBehalfParts parts;

  @LocalServerPort int port;
  @Autowired JdbcTemplate database;
  @Autowired JdbcConnectionDetails connection;
  private Service service = new Service(0);

  @DynamicPropertySource
  static void starts(DynamicPropertyRegistry properties) throws Exception {
    parts = new OnBehalfParts(folder);
    settings().forEach((name, value) -> properties.add(name, () -> value));
  }

  private static Map<String, String> settings() {
    var http = "superstep.tools.http.";
    var more = new HashMap<String, String>();
    more.put("superstep.auth.jwt.issuer", ISSUER.issuer());
    for (var tool : List.of("passed", "narrow", "exchanged", "greedy", "redirect")) {
      more.put(http + tool + ".url", parts.url() + "/" + tool);
      boolean passes = List.of("passed", "narrow", "redirect").contains(tool);
      more.put(http + tool + ".on-behalf-of.subject", passes ? "pass" : "exchange");
      more.put(
          http + tool + ".on-behalf-of.audience",
          passes && !tool.equals("narrow") ? AuthorizationServer.AUDIENCE : DESK);
    }
    more.put(http + "exchanged.on-behalf-of.scopes", "superstep:run");
    more.put(http + "greedy.on-behalf-of.scopes", "superstep:everything");
    more.put("superstep.tools.at-most-once", "passed");
    more.put(http + "approved.url", parts.url() + "/approved");
    more.put("superstep.tools.policies[0].tools", "approved");
    more.put("superstep.tools.policies[0].approval", "always");
    more.put("superstep.tools.mcp.desk.url", parts.mcpUrl());
    more.put("superstep.tools.mcp.desk.on-behalf-of.subject", "exchange");
    more.put("superstep.tools.mcp.desk.on-behalf-of.audience", DESK);
    more.put("superstep.tools.mcp.desk.on-behalf-of.scopes", "superstep:run");
    return more;
  }

  @AfterAll
  static void ends() throws Exception {
    parts.close();
    ISSUER.close();
  }

  @BeforeEach
  void posts() {
    service = new Service(port);
    for (var graph :
        List.of(
            tools("on-behalf", "never"), tools("on-behalf-approved", "always"), asked(), above())) {
      var answer = service.post("/v1/graphs", graph, bearer("alpha"));
      assertThat(Service.at(answer, "/version")).as(answer.toString()).isNotEqualTo(Value.NULL);
    }
  }

  private static Value tools(String name, String approval) {
    return Json.read(
        """
        {"name": "%s", "channels": {"messages": {"reducer": "messages"}},
         "nodes": [{"id": "tools", "type": "tool", "config": {"approval": "%s"}}],
         "edges": [{"from": "__start__", "to": "tools"}]}
        """
            .formatted(name, approval));
  }

  /// Asks a person before.
  private static Value asked() {
    return Json.read(
        """
        {"name": "on-behalf-asked", "channels": {"messages": {"reducer": "messages"}},
         "nodes": [{"id": "ask", "type": "human", "config": {"payload": "Now?"}},
                   {"id": "tools", "type": "tool"}],
         "edges": [{"from": "__start__", "to": "ask"}, {"from": "ask", "to": "tools"}]}
        """);
  }

  /// Has a child call the tool.
  private static Value above() {
    return Json.read(
        """
        {"name": "on-behalf-above", "channels": {"messages": {"reducer": "messages"}},
         "nodes": [{"id": "child", "type": "subgraph", "config": {"graph": "on-behalf",
           "input": {"messages": "{{ state.messages }}"}, "output": {}}}],
         "edges": [{"from": "__start__", "to": "child"}]}
        """);
  }

  private static Map<String, String> bearer(String token) {
    return Map.of("Authorization", "Bearer " + token);
  }

  private static String token(String subject) {
    return token(subject, HOUR);
  }

  private static String token(String subject, Duration lifetime) {
    return ISSUER.token(
        subject,
        lifetime,
        List.of(AuthorizationServer.AUDIENCE),
        "superstep:read",
        "superstep:run",
        "superstep:answer");
  }

  private Value run(String graph, String tool, String token) {
    return service.post(
        "/v1/runs?wait=30s",
        Json.read(
            """
            {"graph": "%s", "input": {"messages": [{"role": "assistant", "content": "",
             "tool_calls": [{"id": "c", "name": "%s", "arguments": {}}]}]}}
            """
                .formatted(graph, tool)),
        bearer(token));
  }

  private static Value answer(Service replica, Value run, String token) {
    return answer(replica, run, token, "null");
  }

  private static Value answer(Service replica, Value run, String token, String value) {
    return replica.post(
        "/v1/interrupts/%s/answer?wait=30s".formatted(Service.text(run, "/interrupts/0/id")),
        Json.read("{\"value\": %s}".formatted(value)),
        bearer(token));
  }

  private static void succeeded(Value run) {
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    assertThat(run.toString()).doesNotContain("is_error");
  }

  private static void requiresToken(Value run, String tool) {
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("interrupted");
    var asked = Service.at(run, "/interrupts/0");
    assertThat(Service.text(asked, "/reason")).isEqualTo("caller_token_required");
    assertThat(Service.text(asked, "/may_answer")).isEqualTo("starter_with_token");
    assertThat(Service.text(asked, "/payload/tool_call/name")).isEqualTo(tool);
    assertThat(Service.text(asked, "/payload/subject"))
        .matches("[0-9a-f]{16}")
        .isEqualTo(Service.text(run, "/created_by"));
  }

  private static String refusal(Value run) {
    assertThat(Service.text(run, "/status")).as(run.toString()).isEqualTo("succeeded");
    return Service.text(run, "/output/messages/1/metadata/code");
  }

  private static String last(String path) {
    return parts.arrivals(path).getLast().authorization();
  }

  private static String claims(String authorization) {
    var part = authorization.split("\\.", -1)[1];
    return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
  }

  @Test
  void passesTheTokenOfTheStarterOn() {
    var token = token("ada");
    int before = parts.arrivals("/passed").size();

    succeeded(run("on-behalf", "passed", token));

    assertThat(parts.arrivals("/passed")).hasSize(before + 1);
    assertThat(last("/passed")).isEqualTo("Bearer " + token);
  }

  @Test
  void passesItToNobodyWhomItIsNotFor() {
    assertThat(refusal(run("on-behalf", "narrow", token("ada"))))
        .isEqualTo(CallerTokenCodes.REFUSED);
    assertThat(parts.arrivals("/narrow")).isEmpty();
  }

  @Test
  void hasTheIssuerExchangeIt() {
    var token = token("ada");

    succeeded(run("on-behalf", "exchanged", token));

    assertThat(last("/exchanged")).isNotEqualTo("Bearer " + token);
    assertThat(claims(last("/exchanged")))
        .contains("\"sub\":\"ada\"", "\"aud\":\"" + DESK + "\"", "superstep:run")
        .doesNotContain("superstep:answer", AuthorizationServer.AUDIENCE);
    assertThat(refusal(run("on-behalf", "greedy", token))).isEqualTo(CallerTokenCodes.REFUSED);
    assertThat(parts.arrivals("/greedy")).isEmpty();
  }

  /// Each call has a session of its own, which ends with it; the tools are listed without a token.
  @Test
  void callsToolsOfMcpServersInSessionsOfTheirOwn() {
    for (var subject : List.of("ada", "vera")) {
      int before = parts.arrivals("/mcp").size();
      succeeded(run("on-behalf", "desk_file", token(subject)));
      var calls =
          parts.arrivals("/mcp").subList(before, parts.arrivals("/mcp").size()).stream()
              .filter(it -> it.authorization().startsWith("Bearer "))
              .toList();
      assertThat(calls).isNotEmpty();
      assertThat(calls)
          .allMatch(it -> claims(it.authorization()).contains("\"sub\":\"" + subject + "\""));
      assertThat(calls.stream().map(OnBehalfParts.Arrival::session).distinct()).hasSize(2);
    }
    assertThat(parts.arrivals("/mcp DELETE")).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void asksTheStarterAndNobodyElseForAFreshToken() {
    int before = parts.arrivals("/passed").size();
    var run = run("on-behalf", "passed", token("ada", Duration.ofSeconds(5)));
    requiresToken(run, "passed");

    for (var other : List.of(token("vera"), "alpha")) {
      var refused = answer(service, run, other);
      assertThat(Service.text(refused, "/code")).as(refused.toString()).isEqualTo("forbidden");
    }
    assertThat(parts.arrivals("/passed")).hasSize(before);

    var fresh = token("ada");
    succeeded(answer(service, run, fresh));
    assertThat(parts.arrivals("/passed")).hasSize(before + 1);
    assertThat(last("/passed")).isEqualTo("Bearer " + fresh);
  }

  @Test
  void asksAgainWhereTheIssuerHasEndedTheToken() {
    var token = token("ada");
    ISSUER.revoke(token);
    var run = run("on-behalf", "exchanged", token);
    requiresToken(run, "exchanged");

    succeeded(answer(service, run, token("ada")));
  }

  /// A token that is never where it is needed does not make the run ask for ever.
  @Test
  void asksAFewTimesOnly() {
    var run = run("on-behalf", "passed", token("ada", Duration.ofSeconds(5)));
    for (int i = 0; i < 8; i++) {
      requiresToken(run, "passed");
      run = answer(service, run, token("ada", Duration.ofSeconds(5)));
    }
    assertThat(refusal(run)).isEqualTo(CallerTokenCodes.UNAVAILABLE);
  }

  @Test
  void refusesCallsOfRunsThatAKeyHasStarted() {
    int before = parts.arrivals("/passed").size();
    var made =
        service.post(
            "/v1/keys", Json.read("{\"name\": \"k\", \"roles\": [\"runner\"]}"), bearer("alpha"));

    for (var key : List.of("alpha", Service.text(made, "/secret"))) {
      assertThat(refusal(run("on-behalf", "passed", key))).isEqualTo(CallerTokenCodes.UNAVAILABLE);
    }
    assertThat(parts.arrivals("/passed")).hasSize(before);
  }

  /// The run goes on by the answer of another one, and acts for its starter all the same.
  @Test
  void actsForTheStarterWhoeverAnswers() {
    var ada = token("ada");
    var run = run("on-behalf-asked", "passed", ada);
    succeeded(answer(service, run, token("vera")));
    assertThat(last("/passed")).isEqualTo("Bearer " + ada);
  }

  @Test
  void hasChildrenActForTheStarterOfTheOutermostRun() {
    var ada = token("ada");
    succeeded(run("on-behalf-above", "passed", ada));
    assertThat(last("/passed")).isEqualTo("Bearer " + ada);

    var asked = run("on-behalf-above", "passed", token("ada", Duration.ofSeconds(5)));
    requiresToken(asked, "passed");
    var fresh = token("ada");
    succeeded(answer(service, asked, fresh));
    assertThat(last("/passed")).isEqualTo("Bearer " + fresh);
  }

  @Test
  void hasForksActForWhoHasForked() {
    var run = run("on-behalf", "passed", token("ada"));
    succeeded(run);
    var vera = token("vera");
    var fork =
        service.post(
            "/v1/runs/%s/fork?wait=30s".formatted(Service.text(run, "/id")),
            Json.read("{\"checkpoint\": 0}"),
            bearer(vera));
    assertThat(Service.text(fork, "/interrupts/0/reason"))
        .as(fork.toString())
        .isEqualTo("tool_call_repeated");
    var again =
        service.post(
            "/v1/interrupts/%s/answer?wait=30s".formatted(Service.text(fork, "/interrupts/0/id")),
            Json.read("{\"value\": {\"decision\": \"approve\"}}"),
            bearer(token("ada")));
    succeeded(again);
    assertThat(last("/passed")).isEqualTo("Bearer " + vera);
  }

  @Test
  void takesTheTokenNowhereElse() {
    var ada = token("ada");
    var run = run("on-behalf", "redirect", ada);
    assertThat(run.toString()).contains("redirects to another URL");
    assertThat(last("/redirect")).isEqualTo("Bearer " + ada);

    succeeded(run("on-behalf", "desk_file", ada));
    parts.redirects(true);
    try {
      assertThat(run("on-behalf", "desk_file", ada).toString()).contains("is_error");
    } finally {
      parts.redirects(false);
    }
    assertThat(parts.strange()).isEmpty();
  }

  /// The token is in the memory of one replica: another one asks, and the answer goes on where it
  /// is given.
  @Test
  void asksWhereAnotherReplicaGoesOn() {
    try (var second = replica()) {
      var other = new Service(Objects.requireNonNull(second.getWebServer()).getPort());
      int before = parts.arrivals("/passed").size();
      for (var replica : List.of(other, service)) {
        var run = run("on-behalf-asked", "passed", token("ada"));
        var taken = answer(other, run, token("vera"));
        requiresToken(taken, "passed");

        var fresh = token("ada");
        succeeded(answer(replica, taken, fresh));
        assertThat(last("/passed")).isEqualTo("Bearer " + fresh);
      }
      assertThat(parts.arrivals("/passed")).hasSize(before + 2);
    }
  }

  /// A question about one call is not lost to the token that another one lacks by then.
  @Test
  void takesTheApprovalOfACallWhereTheTokenOfAnotherIsNot() {
    try (var second = replica()) {
      var other = new Service(Objects.requireNonNull(second.getWebServer()).getPort());
      var run =
          service.post(
              "/v1/runs?wait=30s",
              Json.read(
                  """
                  {"graph": "on-behalf", "input": {"messages": [{"role": "assistant", "content": "",
                   "tool_calls": [{"id": "c1", "name": "passed", "arguments": {}},
                                  {"id": "c2", "name": "approved", "arguments": {}}]}]}}
                  """),
              bearer(token("ada")));
      assertThat(Service.text(run, "/interrupts/0/reason"))
          .as(run.toString())
          .isEqualTo("tool_approval");

      var taken = answer(other, run, token("vera"), "{\"decision\": \"approve\"}");
      requiresToken(taken, "passed");
      int before = parts.arrivals("/approved").size();
      succeeded(answer(other, taken, token("ada")));
      assertThat(parts.arrivals("/approved")).hasSize(before + 1);
    }
  }

  /// Nobody has others' calls made with the token of the starter, who is shown them first.
  @Test
  void showsTheStarterWhatOthersHaveEdited() {
    int before = parts.arrivals("/passed").size();
    var approved = run("on-behalf-approved", "passed", token("ada"));
    var edited =
        answer(
            service,
            approved,
            token("vera"),
            "{\"decision\": \"edit\", \"arguments\": {\"note\": \"of vera\"}}");
    requiresToken(edited, "passed");
    assertThat(Service.text(edited, "/interrupts/0/payload/tool_call/arguments/note"))
        .isEqualTo("of vera");
    assertThat(parts.arrivals("/passed")).hasSize(before);
    succeeded(answer(service, edited, token("ada")));
    assertThat(parts.arrivals("/passed").getLast().everything()).contains("of vera");

    var asked = run("on-behalf-asked", "passed", token("ada"));
    var changed =
        service.post(
            "/v1/runs/%s/resume".formatted(Service.text(asked, "/id")),
            Json.read(
                """
                {"change": {"update": {"messages": [{"role": "assistant", "content": "",
                  "tool_calls": [{"id": "d", "name": "passed", "arguments": {"note": "changed"}}]}]}},
                 "continue": false}
                """),
            bearer(token("vera")));
    assertThat(Service.text(changed, "/status")).as(changed.toString()).isEqualTo("interrupted");
    var shown = answer(service, asked, token("vera"));
    requiresToken(shown, "passed");
    assertThat(Service.text(shown, "/interrupts/0/payload/tool_call/arguments/note"))
        .isEqualTo("changed");
    assertThat(parts.arrivals("/passed")).hasSize(before + 1);
    succeeded(answer(service, shown, token("ada")));
    assertThat(parts.arrivals("/passed").getLast().everything()).contains("changed");
  }

  private ServletWebServerApplicationContext replica() {
    var arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--management.server.port=0",
                "--spring.datasource.url=" + connection.getJdbcUrl(),
                "--spring.datasource.username=" + connection.getUsername(),
                "--spring.datasource.password=" + connection.getPassword(),
                "--superstep.api-keys=alpha",
                "--superstep.egress.allow=127.0.0.1:*",
                "--superstep.auth.jwt.audience=" + AuthorizationServer.AUDIENCE,
                "--superstep.auth.jwt.scope-prefix=superstep:",
                "--superstep.auth.exchange.one.client-id=" + AuthorizationServer.EXCHANGER,
                "--superstep.auth.exchange.one.client-secret=property:secret.of.this.test",
                "--secret.of.this.test=" + AuthorizationServer.EXCHANGER_SECRET));
    settings().forEach((name, value) -> arguments.add("--%s=%s".formatted(name, value)));
    return (ServletWebServerApplicationContext)
        new SpringApplicationBuilder(SuperstepApplication.class)
            .run(arguments.toArray(String[]::new));
  }

  @Test
  void keepsTokensOutOfWhatIsStoredLoggedAndShown(CapturedOutput log) {
    var first = token("ada");
    succeeded(run("on-behalf", "passed", first));
    succeeded(run("on-behalf", "exchanged", first));
    var exchanged = last("/exchanged");
    succeeded(run("on-behalf", "desk_file", first));
    succeeded(run("on-behalf-above", "passed", first));
    var ended = token("ada", Duration.ofSeconds(5));
    var asked = run("on-behalf", "passed", ended);
    var fresh = token("ada");
    var done = answer(service, asked, fresh);
    succeeded(done);

    for (var token : List.of(first, ended, fresh, exchanged)) {
      var signature = token.substring(token.lastIndexOf('.') + 1);
      assertThat(log.getAll()).doesNotContain(signature);
      assertThat(done.toString()).doesNotContain(signature);
      assertThat(new Tables(database).columns())
          .allSatisfy(
              (column, values) -> assertThat(values.contains(signature)).as(column).isFalse());
    }
  }
}
