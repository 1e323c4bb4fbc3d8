package dev.superstep.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.SuperstepApplication;
import dev.superstep.database.TestDatabase;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Signing in with a real authorization server, header by header, as a browser behind a proxy with
/// TLS would; `SignInIT` has a real one.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "superstep.api-keys=alpha",
      "superstep.auth.jwt.audience=" + AuthorizationServer.AUDIENCE,
      "superstep.auth.jwt.scope-prefix=superstep:",
      "superstep.auth.jwt.roles-claim=roles",
      "superstep.auth.jwt.tenant.claim=team",
      "superstep.tenants.enabled=true",
      "superstep.auth.sign-in.client-id=" + AuthorizationServer.CONSOLE,
      "superstep.auth.sign-in.client-secret=property:secret.of.this.test",
      "superstep.auth.sign-in.url=" + SignInApiTests.URL,
      "superstep.auth.sign-in.name=The provider of <this> test",
      "secret.of.this.test=" + AuthorizationServer.CONSOLE_SECRET
    })
@Import(TestDatabase.class)
class SignInApiTests {
  static final String URL = "https://superstep.example";
  private static final String SESSION = "__Host-superstep-session";
  private static final String ATTEMPT = "__Host-superstep-sign-in";
  private static final Duration ELSEWHERE = Duration.ofSeconds(20);
  private static final AuthorizationServer SERVER = AuthorizationServer.start();
  private static final String OWN = "Sec-Fetch-Site: same-origin";
  private static final String GRAPH =
      "{\"name\": \"of-who-signed-in\", \"nodes\": [{\"id\": \"rest\", \"type\": \"wait\","
          + " \"config\": {\"for\": \"1h\"}}], \"edges\": [{\"from\": \"__start__\", \"to\":"
          + " \"rest\"}]}";
  private static final String STARTS = "{\"graph\": \"of-who-signed-in\", \"input\": {}}";

  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  @Autowired private SignInSessions sessions;
  @Autowired private SignInSettings settings;
  @Autowired private TokenCallers issuers;
  private final AtomicBoolean streaming = new AtomicBoolean();

  @DynamicPropertySource
  static void issuer(DynamicPropertyRegistry registry) {
    SERVER.register(URL);
    registry.add("superstep.auth.jwt.issuer", SERVER::issuer);
  }

  @AfterAll
  static void ends() {
    SERVER.close();
  }

  private SignInBrowser signedIn(String name) throws IOException {
    var browser = new SignInBrowser(SERVER, port);
    browser.signIn(name);
    assertThat(browser.cookies).containsOnlyKeys(SESSION);
    return browser;
  }

  @Test
  void asksForACodeWithStateNonceAndPkce() throws IOException {
    var browser = new SignInBrowser(SERVER, port);
    var begun = browser.get("/sign-in?to=/runs/one");
    assertThat(SignInBrowser.location(begun))
        .contains("response_type=code", "client_id=console", "scope=openid", "&state=", "&nonce=")
        .contains("code_challenge_method=S256", "code_challenge=")
        .contains("redirect_uri=" + URL + "/sign-in/callback")
        .doesNotContain(AuthorizationServer.CONSOLE_SECRET);
    assertThat(begun)
        .containsPattern(
            "Set-Cookie: "
                + ATTEMPT
                + "=[^;]+; Path=/; Max-Age=600;[^\r]*Secure; HttpOnly; SameSite=Lax\r");
  }

  @Test
  void keepsTheSessionFromScriptsAndOtherSitesAndItsTokensFromTheBrowser() throws IOException {
    var browser = new SignInBrowser(SERVER, port);
    var answer = browser.get(browser.begin("vera", "?to=/runs/one?tab=2"));
    assertThat(SignInBrowser.location(answer)).isEqualTo(URL + "/runs/one?tab=2");
    assertThat(answer)
        .containsPattern(
            "Set-Cookie: "
                + SESSION
                + "=[A-Za-z0-9_-]{43}; Path=/; Secure; HttpOnly; SameSite=Strict\r")
        .doesNotContain("eyJ");
    assertThat(browser.cookies).containsOnlyKeys(SESSION);
    assertThat(
            jdbc.sql("select string_agg(s::text, ' ') from sign_in_session s")
                .query(String.class)
                .single())
        .doesNotContain(browser.cookie(SESSION));
  }

  @Test
  void letsEachDoWhatItsRolesSayOnBothFaces() throws IOException {
    var viewer = signedIn("vera");
    assertThat(viewer.get("/v1/server", OWN)).contains("\"scopes\":[\"read\"]");
    assertThat(viewer.send("POST", "/v1/graphs", GRAPH, OWN))
        .startsWith("HTTP/1.1 403")
        .contains("insufficient_scope");
    assertThat(viewer.send("POST", "/langgraph/threads/search", "{}", OWN))
        .startsWith("HTTP/1.1 200");
    assertThat(viewer.send("POST", "/langgraph/threads", "{}", OWN)).startsWith("HTTP/1.1 403");

    var author = signedIn("ada");
    assertThat(author.send("POST", "/v1/graphs", GRAPH, OWN)).startsWith("HTTP/1.1 20");
    var started = author.send("POST", "/v1/runs", STARTS, OWN);
    assertThat(started).startsWith("HTTP/1.1 20");
    assertThat(author.send("POST", "/langgraph/threads", "{}", OWN)).startsWith("HTTP/1.1 200");
    assertThat(author.send("DELETE", "/v1/graphs/of-who-signed-in", "", OWN))
        .startsWith("HTTP/1.1 403");

    var answerer = signedIn("ivan");
    assertThat(answerer.get("/v1/server", OWN)).contains("\"scopes\":[\"read\",\"answer\"]");
  }

  @Test
  void signsNobodyInWhoHasNoRole() throws IOException {
    var browser = new SignInBrowser(SERVER, port);
    var answer = browser.signIn("noah");
    assertThat(SignInBrowser.location(answer)).isEqualTo(URL + "/?sign_in=no_role");
    assertThat(browser.cookies).isEmpty();
  }

  /// In the tenant and under the id that its tokens have, too.
  @Test
  void recordsWhoSignsInAndOutAndWhoIsRefused() throws IOException {
    var browser = signedIn("ivan");
    var session = HexFormat.of().formatHex(sha256(browser.cookie(SESSION)), 0, 8);
    browser.send("POST", "/sign-out", "", "Sec-Fetch-Site: cross-site");
    for (int twice = 0; twice < 2; twice++) {
      assertThat(browser.send("POST", "/sign-out", "", OWN)).startsWith("HTTP/1.1 204");
    }
    var caller = jdbc.sql("select caller from sign_in_session where digest = ?");
    var ivan = caller.param(sha256(browser.cookie(SESSION))).query(String.class).single();
    assertThat(events("object_id = '%s'".formatted(session)))
        .containsExactly(
            "acme %s token 127.0.0.1 session.start session allowed null".formatted(ivan),
            "acme %s token 127.0.0.1 session.end session allowed null".formatted(ivan));

    new SignInBrowser(SERVER, port).signIn("noah");
    new SignInBrowser(SERVER, port).get("/sign-in/callback?code=canary-code&state=canary-state");
    var refused = "action = 'session.start' and outcome = 'refused' and error_code = '%s'";
    await()
        .untilAsserted(() -> {
          assertThat(events(refused.formatted("no_role")).getFirst())
              .matches("acme [0-9a-f]{16} token 127.0.0.1 session.start null refused no_role");
          assertThat(events(refused.formatted("expired")).getFirst())
              .isEqualTo("default null none 127.0.0.1 session.start null refused expired");
        });
    assertThat(jdbc.sql("select audit_event::text from audit_event").query(String.class).list())
        .noneMatch(it -> it.contains("canary") || it.contains("ivan"));
  }

  private List<String> events(String which) {
    return jdbc
        .sql(
            """
            select concat_ws(' ', tenant, coalesce(caller, 'null'), credential, address, action,
                             coalesce(object_kind, 'null'), outcome, coalesce(error_code, 'null'))
              from audit_event
             where %s
             order by at, id
            """
                .formatted(which))
        .query(String.class)
        .list()
        .stream()
        .map(Objects::requireNonNull)
        .toList();
  }

  @Test
  void takesClaimsThatAProviderLeavesEmpty() {
    var claims = new HashMap<String, Object>(Map.of("sub", "vera", "team", "acme"));
    claims.put("picture", null);
    var caller = issuers.signingIn(settings).caller(claims, Optional.empty()).orElseThrow();
    var id = sessions.begin(caller, claims, "a.b.c").orElseThrow();
    assertThat(sessions.caller(id).orElseThrow().id()).isEqualTo(caller.id());
  }

  /// Settings that map its claims to another tenant end a session.
  @Test
  void isASessionOfTheTenantOfWhichItBegan() throws IOException {
    var browser = signedIn("vera");
    jdbc.sql("update sign_in_session set tenant = 'other' where digest = ?")
        .param(sha256(browser.cookie(SESSION)))
        .update();
    assertThat(browser.get("/v1/runs", OWN)).startsWith("HTTP/1.1 401");
  }

  @Test
  void signsOutAtTheProviderAlsoWithoutAToken() throws IOException {
    var browser = signedIn("vera");
    jdbc.sql("update sign_in_session set id_token = null where digest = ?")
        .param(sha256(browser.cookie(SESSION)))
        .update();
    assertThat(browser.send("POST", "/sign-out", "", OWN)).startsWith("HTTP/1.1 204");
    assertThat(SignInBrowser.location(browser.get("/sign-out")))
        .startsWith(SERVER.issuer() + "/connect/logout?client_id=console&");
    assertThat(browser.cookies).isEmpty();
  }

  @Test
  void keepsNothingOfASessionThatWasEndedAMinuteAgo() throws IOException {
    var digests = new ArrayList<byte[]>();
    for (var ended : List.of("30 seconds", "61 seconds")) {
      var browser = signedIn("vera");
      digests.add(sha256(browser.cookie(SESSION)));
      browser.send("POST", "/sign-out", "", OWN);
      jdbc.sql("update sign_in_session set ended_at = now() - ?::interval where digest = ?")
          .params(ended, digests.getLast())
          .update();
    }
    sessions.purge();
    assertThat(digests)
        .map(it ->
            jdbc.sql("select count(*) from sign_in_session where digest = ?")
                .param(it)
                .query(Integer.class)
                .single())
        .containsExactly(1, 0);
  }

  @Test
  void isAskedForTheMeaningOfErrorsAlsoWithAWrongCookie() throws IOException {
    var browser = new SignInBrowser(SERVER, port);
    browser.cookies.put(SESSION, "x".repeat(43));
    assertThat(browser.get("/v1/error-codes", OWN)).startsWith("HTTP/1.1 200");
    assertThat(browser.get("/v1/runs", OWN)).startsWith("HTTP/1.1 401");
  }

  /// A browser without `Sec-Fetch-Site` does not say which page loads this as a picture.
  @Test
  void cancelsNothingWhenAPictureIsLeft() throws IOException {
    var browser = signedIn("ada");
    var id = "00000000-0000-4000-8000-000000000001";
    var path = "/langgraph/threads/%1$s/runs/%1$s/join?cancel_on_disconnect=true".formatted(id);
    assertThat(browser.get(path)).startsWith("HTTP/1.1 403");
    assertThat(browser.get(path, OWN)).startsWith("HTTP/1.1 404");
  }

  @Test
  void leadsNowhereElse() throws IOException {
    for (var to :
        List.of(
            "https://evil.example/",
            "//evil.example/",
            "/%5Cevil.example",
            "%5C%5Cevil.example",
            "/%09/evil.example",
            "javascript:alert(1)",
            "@evil.example",
            ".evil.example")) {
      var browser = new SignInBrowser(SERVER, port);
      var answer = browser.get(browser.begin("vera", "?to=" + to));
      assertThat(SignInBrowser.location(answer)).as(to).isEqualTo(URL + "/");
      var forged = new SignInBrowser(SERVER, port);
      var path = forged.begin("vera", "");
      var parts = forged.cookie(ATTEMPT).split("\\.", -1);
      parts[3] = Base64.getUrlEncoder().withoutPadding().encodeToString(to.getBytes(UTF_8));
      forged.cookies.put(ATTEMPT, String.join(".", parts));
      assertThat(SignInBrowser.location(forged.get(path))).as(to).startsWith(URL + "/");
    }
  }

  @Test
  void takesAnAnswerOnceAndInTheBrowserThatAskedForIt() throws IOException {
    var browser = new SignInBrowser(SERVER, port);
    var path = browser.begin("ada", "");
    var attempt = browser.cookie(ATTEMPT);

    var other = new SignInBrowser(SERVER, port);
    assertThat(SignInBrowser.location(other.get(path))).isEqualTo(URL + "/?sign_in=expired");
    other.get("/sign-in");
    assertThat(SignInBrowser.location(other.get(path))).isEqualTo(URL + "/?sign_in=expired");
    assertThat(other.cookies).as("its own attempt").containsOnlyKeys(ATTEMPT);

    assertThat(SignInBrowser.location(browser.get(path))).isEqualTo(URL + "/");
    assertThat(SignInBrowser.location(browser.get(path))).isEqualTo(URL + "/?sign_in=expired");
    // The provider refuses a code that was used, and ends what came of it on its side.
    var thief = new SignInBrowser(SERVER, port);
    thief.cookies.put(ATTEMPT, attempt);
    assertThat(SignInBrowser.location(thief.get(path))).isEqualTo(URL + "/?sign_in=expired");
    assertThat(thief.cookies).isEmpty();
  }

  @Test
  void takesNoCodeOfAnotherVerifierNonceOrRefusal() throws IOException {
    for (var part : Map.of(1, "refused", 2, "expired").entrySet()) {
      var browser = new SignInBrowser(SERVER, port);
      var path = browser.begin("ada", "");
      var parts = browser.cookie(ATTEMPT).split("\\.", -1);
      parts[part.getKey()] = new StringBuilder(parts[part.getKey()]).reverse().toString();
      browser.cookies.put(ATTEMPT, String.join(".", parts));
      assertThat(SignInBrowser.location(browser.get(path)))
          .isEqualTo(URL + "/?sign_in=" + part.getValue());
      assertThat(browser.cookies).isEmpty();
    }
    var denied = new SignInBrowser(SERVER, port);
    var state =
        SignInBrowser.location(denied.get("/sign-in")).replaceAll(".*[?&]state=([^&]+).*", "$1");
    var refusal = "/sign-in/callback?error=access_denied&error_description=%3Cb%3E&state=" + state;
    assertThat(SignInBrowser.location(denied.get(refusal))).isEqualTo(URL + "/?sign_in=denied");
    for (var broken : List.of("", ".", "a.b.c.d", "....", "%00", "é.é.é.é")) {
      var browser = new SignInBrowser(SERVER, port);
      browser.cookies.put(ATTEMPT, broken);
      assertThat(SignInBrowser.location(browser.get(refusal))).isEqualTo(URL + "/?sign_in=expired");
    }
  }

  @Test
  void refusesCallsThatPagesOfOthersMakeWithTheCookie() throws IOException {
    var browser = signedIn("ada");
    for (var forged :
        List.of(
            List.of("Sec-Fetch-Site: same-site", "Origin: https://other.superstep.example"),
            List.of("Sec-Fetch-Site: cross-site", "Origin: " + URL),
            List.of("Sec-Fetch-Site: none"),
            List.of("Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"),
            List.of("Origin: https://evil.example"),
            List.of("Origin: null"),
            List.<String>of())) {
      var headers = forged.toArray(String[]::new);
      for (var path : List.of("/v1/graphs", "/langgraph/threads")) {
        assertThat(browser.send("POST", path, "{}", headers))
            .as("%s %s", path, forged)
            .startsWith("HTTP/1.1 403")
            .contains("another origin");
      }
      assertThat(browser.send("POST", "/sign-out", "", headers)).startsWith("HTTP/1.1 403");
    }
    assertThat(browser.get("/v1/runs", "Sec-Fetch-Site: same-site")).startsWith("HTTP/1.1 401");
    assertThat(browser.get("/v1/runs", "Origin: https://evil.example")).startsWith("HTTP/1.1 401");
    assertThat(browser.send("POST", "/v1/threads/search", "{}", "Origin: " + URL))
        .startsWith("HTTP/1.1 200");
    assertThat(browser.get("/v1/runs", "Sec-Fetch-Site: none")).startsWith("HTTP/1.1 200");
    assertThat(browser.get("/sign-out", "Sec-Fetch-Site: cross-site")).contains(URL + "/\r");
    assertThat(browser.get("/v1/runs", OWN)).startsWith("HTTP/1.1 200");
  }

  @Test
  void takesAKeyInPlaceOfTheCookie() throws IOException {
    var browser = signedIn("vera");
    assertThat(browser.get("/v1/server", OWN, "Authorization: Bearer alpha")).contains("\"admin\"");
    assertThat(browser.get("/v1/server", OWN, "Authorization: Bearer wrong"))
        .startsWith("HTTP/1.1 401");
    assertThat(browser.send("POST", "/langgraph/threads", "{}", OWN, "x-api-key: alpha"))
        .startsWith("HTTP/1.1 200");
    assertThat(browser.send("POST", "/langgraph/threads", "{}", "x-api-key: alpha"))
        .startsWith("HTTP/1.1 200");
    assertThat(browser.get("/langgraph/info", OWN, "x-api-key: wrong")).startsWith("HTTP/1.1 401");
  }

  @Test
  void endsASessionThatWasNotUsedForLongOrIsOld() throws IOException {
    var browser = signedIn("vera");
    assertThat(browser.get("/v1/runs", OWN)).startsWith("HTTP/1.1 200");
    for (var age : List.of("used_at = used_at - interval '61 minutes'", "expires_at = now()")) {
      var session = signedIn("vera");
      assertThat(session.get("/v1/runs", OWN)).startsWith("HTTP/1.1 200");
      jdbc.sql("update sign_in_session set %s where digest = :digest".formatted(age))
          .param("digest", sha256(session.cookie(SESSION)))
          .update();
      await()
          .atMost(ELSEWHERE)
          .untilAsserted(() -> assertThat(session.get("/v1/runs", OWN)).startsWith("HTTP/1.1 401"));
      assertThat(session.get("/")).startsWith("HTTP/1.1 200");
    }
    sessions.purge();
    assertThat(browser.get("/v1/runs", OWN)).startsWith("HTTP/1.1 200");
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void movesTheEndOfASessionThatIsUsed() throws IOException {
    var browser = signedIn("vera");
    var digest = sha256(browser.cookie(SESSION));
    jdbc.sql(
            "update sign_in_session set used_at = used_at - interval '50 minutes' where digest = ?")
        .param(digest)
        .update();
    assertThat(browser.get("/v1/runs", OWN)).startsWith("HTTP/1.1 200");
    assertThat(
            jdbc.sql(
                    "select used_at > now() - interval '1 minute' from sign_in_session where digest"
                        + " = ?")
                .param(digest)
                .query(Boolean.class)
                .single())
        .isTrue();
  }

  @Test
  void endsTheOldestSessionOfACallerWhoHasTen() throws IOException {
    var first = signedIn("ivan");
    var second = signedIn("ivan");
    for (int more = 2; more < SignInSessions.CALLER_MAX; more++) {
      signedIn("ivan");
    }
    assertThat(first.get("/v1/runs", OWN)).startsWith("HTTP/1.1 200");
    signedIn("ivan");
    await()
        .atMost(ELSEWHERE)
        .untilAsserted(() -> assertThat(first.get("/v1/runs", OWN)).startsWith("HTTP/1.1 401"));
    assertThat(second.get("/v1/runs", OWN)).startsWith("HTTP/1.1 200");
  }

  @Test
  @Timeout(90)
  void isTheSameCallerAsWithATokenAndEndsAllAtSigningOut(@Autowired JdbcConnectionDetails database)
      throws Exception {
    try (var second = replica(database)) {
      var browser = signedIn("ada");
      browser.asks = Objects.requireNonNull(second.getWebServer()).getPort();
      assertThat(browser.send("POST", "/v1/graphs", GRAPH, OWN)).startsWith("HTTP/1.1 20");
      var run = browser.send("POST", "/v1/runs", STARTS, OWN);
      var caller = run.replaceAll("(?s).*\"created_by\":\"([^\"]+)\".*", "$1");
      var id = run.replaceAll("(?s).*\"id\":\"([^\"]+)\".*", "$1");
      assertThat(caller).matches("[0-9a-f]{16}");
      assertThat(browser.get("/v1/runs/" + id, OWN)).startsWith("HTTP/1.1 200");

      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var stream = threads.submit(() -> read(browser, "/v1/runs/%s/stream".formatted(id)));
        await().untilTrue(streaming);
        browser.asks = port;
        assertThat(browser.send("POST", "/sign-out", "", OWN)).startsWith("HTTP/1.1 204");
        assertThat(browser.get("/v1/runs", OWN)).startsWith("HTTP/1.1 401");
        browser.asks = Objects.requireNonNull(second.getWebServer()).getPort();
        await()
            .atMost(ELSEWHERE)
            .untilAsserted(
                () -> assertThat(browser.get("/v1/runs", OWN)).startsWith("HTTP/1.1 401"));
        assertThat(stream.get(30, TimeUnit.SECONDS)).contains("key_ended");
      }
      assertThat(SignInBrowser.location(browser.get("/sign-out")))
          .startsWith(SERVER.issuer() + "/connect/logout?id_token_hint=eyJ")
          .contains("post_logout_redirect_uri=https%3A%2F%2Fsuperstep.example%2F");
      assertThat(browser.cookies).isEmpty();
      new SignInBrowser(SERVER, port)
          .send("POST", "/v1/runs/%s/cancel".formatted(id), "{}", "Authorization: Bearer alpha");
    }
  }

  private String read(SignInBrowser browser, String path) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), browser.asks)) {
      var request =
          "GET %s HTTP/1.1\r\nHost: superstep.example\r\nCookie: %s\r\n%s\r\nConnection: close\r\n\r\n"
              .formatted(path, String.join("; ", browser.pairs()), OWN);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      var in = new InputStreamReader(socket.getInputStream(), UTF_8);
      var answer = new StringBuilder();
      for (int it = in.read(); it >= 0; it = in.read()) {
        answer.append((char) it);
        if (answer.indexOf("run.waiting") >= 0) {
          streaming.set(true);
        }
      }
      return answer.toString();
    }
  }

  private static ServletWebServerApplicationContext replica(JdbcConnectionDetails database) {
    return (ServletWebServerApplicationContext)
        new SpringApplicationBuilder(SuperstepApplication.class)
            .run(
                "--server.port=0",
                "--management.server.port=0",
                "--spring.datasource.url=" + database.getJdbcUrl(),
                "--spring.datasource.username=" + database.getUsername(),
                "--spring.datasource.password=" + database.getPassword(),
                "--superstep.api-keys=alpha",
                "--superstep.auth.jwt.issuer=" + SERVER.issuer(),
                "--superstep.auth.jwt.audience=" + AuthorizationServer.AUDIENCE,
                "--superstep.auth.jwt.scope-prefix=superstep:",
                "--superstep.auth.jwt.roles-claim=roles",
                "--superstep.auth.jwt.tenant.claim=team",
                "--superstep.tenants.enabled=true",
                "--superstep.auth.sign-in.client-id=" + AuthorizationServer.CONSOLE,
                "--superstep.auth.sign-in.client-secret=property:secret.of.this.test",
                "--superstep.auth.sign-in.url=" + URL,
                "--secret.of.this.test=" + AuthorizationServer.CONSOLE_SECRET);
  }
}
