package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.web.server.LocalServerPort;

/// What every call has in common, over HTTP.
@ApiTest
class ConventionsApiTests {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static final int CALLS = 20;
  private static final long TRACE_LINES_MAX = 150;
  private static final int TOO_LONG = 8 * 1024 * 1024 + 1;

  @LocalServerPort private int port;

  @Test
  void readsQueryParameters() throws Exception {
    var answer =
        get(
            "/v1/probe?limit=7&cursor=c&wait=PT2S&after=2026-01-31T12:00:00%2B02:00&flag=true"
                + "&colour=red&colour=light_blue&text=a%20%26%20b");

    assertThat(answer.body())
        .isEqualTo(
            """
            {"items":["limit 7","cursor c","wait PT2S","after 2026-01-31T10:00:00Z","flag true",\
            "colour [RED, LIGHT_BLUE]","text a & b"],"next_cursor":"next"}\
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0,limit",
    "limit=201,limit",
    "limit=ten,limit",
    "limit=,limit",
    "limit=1&limit=2,limit",
    "wait=61s,wait",
    "wait=-1s,wait",
    "wait=soon,wait",
    "wait=20,wait",
    "after=yesterday,after",
    "after=12345,after",
    "after=-200000-01-01T00:00:00Z,after",
    "flag=yes,flag",
    "colour=RED,colour",
    "text=%00,text"
  })
  void refusesParametersThatItCannotRead(String query, String name) throws Exception {
    var answer = get("/v1/probe?" + query);

    assertProblem(answer, 422, "invalid_parameter");
    assertThat(member(answer, "/errors/0/pointer")).isEqualTo(Value.of("?" + name));
  }

  @Test
  void refusesParametersThatItDoesNotKnowAllAtOnce() throws Exception {
    var answer = get("/v1/probe?limit=1&Limit=2&page=3");

    assertProblem(answer, 422, "unknown_parameter");
    assertThat(member(answer, "/errors/0/pointer")).isEqualTo(Value.of("?Limit"));
    assertThat(member(answer, "/errors/1/pointer")).isEqualTo(Value.of("?page"));
  }

  @Test
  void keepsFreeJsonAsItWasSent() throws Exception {
    var body = "{\"text\":\"t\",\"free\":{\"a\":null,\"b\":[1,1.0,1e3],\"c\":{}}}";

    assertThat(post(body).body())
        .isEqualTo("{\"text\":\"t\",\"free\":{\"a\":null,\"b\":[1,1.0,1000.0],\"c\":{}}}");
  }

  @Test
  void tellsNullFromAbsentWhereJsonIsFree() throws Exception {
    assertThat(post("{\"free\":null}").body()).isEqualTo("{\"free\":null}");
    assertThat(post("{\"text\":null}").body()).isEqualTo("{}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"txet\":\"a\"}                       | 422 | unknown_field            | /txet",
        "{\"inner\":[{\"name\":\"a\"},{\"nam\":1}]} | 422 | unknown_field        | /inner/1/nam",
        "{\"text\":5}                           | 422 | wrong_type               | /text",
        "{\"text\":true}                        | 422 | wrong_type               | /text",
        "{\"text\":[]}                          | 422 | wrong_type               | /text",
        "{\"whole\":\"5\"}                      | 422 | wrong_type               | /whole",
        "{\"whole\":1.7}                        | 422 | wrong_type               | /whole",
        "{\"whole\":1.0}                        | 422 | wrong_type               | /whole",
        "{\"whole\":\"\"}                       | 422 | wrong_type               | /whole",
        "{\"whole\":3000000000}                 | 422 | wrong_type               | /whole",
        "{\"whole\":true}                       | 422 | wrong_type               | /whole",
        "{\"fraction\":\"1.5\"}                 | 422 | wrong_type               | /fraction",
        "{\"flag\":1}                           | 422 | wrong_type               | /flag",
        "{\"flag\":\"true\"}                    | 422 | wrong_type               | /flag",
        "{\"start_at\":17}                      | 422 | wrong_type               | /start_at",
        "{\"start_at\":\"17\"}                  | 422 | wrong_type               | /start_at",
        "{\"start_at\":\"tomorrow\"}            | 422 | wrong_type               | /start_at",
        "{\"startAt\":\"2026-01-31T12:00:00Z\"} | 422 | unknown_field            | /startAt",
        "{\"inner\":{}}                         | 422 | wrong_type               | /inner",
        "{\"inner\":[null]}                     | 422 | wrong_type               | /inner/0",
        "{\"labels\":{\"a\":1}}                 | 422 | wrong_type               | /labels/a",
        "{\"labels\":{\"a/b~c\":null}}          | 422 | wrong_type               | /labels/a~1b~0c",
        "{\"inner\":[{\"members\":[]}]}         | 422 | wrong_type               |"
            + " /inner/0/members",
        "{\"free\":1e400}                       | 422 | number_not_representable | /free",
        "{\"free\":[1,12345678901234567890]}    | 422 | number_not_representable | /free/1",
        "{\"free\":\"a\\u0000b\"}               | 422 | nul_character            | /free",
        "{\"text\":\"a\\u0000b\"}               | 422 | nul_character            | /text",
        "{\"text\":\"\\ud800\"}                 | 422 | lone_surrogate           | /text",
        "{\"text\":\"a\",\"text\":\"b\"}        | 422 | duplicate_key            | /text",
        "{\"free\":{\"a\":1,\"a\":2}}           | 422 | duplicate_key            | /free/a",
        "[]                                     | 422 | wrong_type               | ''",
        "\"text\"                               | 422 | wrong_type               | ''",
        "null                                   | 400 | unreadable_body          | -",
        "{\"text\":                             | 400 | unreadable_body          | /text",
        "{'text': 1}                            | 400 | unreadable_body          | ''",
        "{\"text\": NaN}                        | 400 | unreadable_body          | /text",
        "{} {}                                  | 400 | unreadable_body          | ''",
        "{,}                                    | 400 | unreadable_body          | ''"
      })
  void refusesBodiesThatSaySomethingElse(String body, int status, String code, String pointer)
      throws Exception {
    var answer = post(body.strip());

    assertProblem(answer, status, code);
    if (!pointer.equals("-")) {
      assertThat(member(answer, "/errors/0/pointer")).isEqualTo(Value.of(pointer));
    }
  }

  @Test
  void says400WithoutABody() throws Exception {
    assertProblem(post(""), 400, "unreadable_body");
  }

  @Test
  void says400ToBytesThatAreNoUtf8() throws Exception {
    var request =
        request("/v1/probe")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(new byte[] {'"', (byte) 0xff, '"'}))
            .build();
    assertProblem(CLIENT.send(request, BodyHandlers.ofString()), 400, "unreadable_body");
  }

  @Test
  void namesAllUnrepresentableValuesAtOnce() throws Exception {
    var answer = post("{\"text\":\"\\u0000\",\"free\":[1e400,{\"a\":1,\"a\":2}]}");

    assertProblem(answer, 422, "invalid_request");
    assertThat(member(answer, "/errors/2/code")).isEqualTo(Value.of("duplicate_key"));
  }

  /// `{"flag":true,"text":"a"}`, however it is written.
  @ParameterizedTest
  @CsvSource({"'', 0", "key, 24"})
  void writesCanonicallyOnlyABodyThatAKeyComparesWith(String key, int bytes) throws Exception {
    var request =
        request("/v1/probe")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{ \"text\": \"a\", \"flag\": true }"));
    if (!key.isEmpty()) {
      request.header("Idempotency-Key", key);
    }
    var answer = CLIENT.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.headers().firstValueAsLong("Compared-Bytes")).hasValue(bytes);
  }

  @Test
  void refusesBodiesThatAreTooLong() throws Exception {
    assertProblem(post("{\"text\":\"" + "x".repeat(TOO_LONG) + "\"}"), 413, "body_too_large");
    var chunked =
        request("/v1/probe")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(new byte[TOO_LONG])))
            .build();
    assertProblem(CLIENT.send(chunked, BodyHandlers.ofString()), 413, "body_too_large");
  }

  @Test
  void refusesOtherMediaTypes() throws Exception {
    var form =
        request("/v1/probe")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("text=a"))
            .build();
    assertProblem(CLIENT.send(form, BodyHandlers.ofString()), 415, "unsupported_media_type");
    var none = request("/v1/probe").POST(BodyPublishers.ofString("{}")).build();
    assertProblem(CLIENT.send(none, BodyHandlers.ofString()), 415, "unsupported_media_type");
  }

  @Test
  void refusesEncodedBodies() throws Exception {
    var zipped =
        request("/v1/probe")
            .header("Content-Type", "application/json")
            .header("Content-Encoding", "gzip")
            .POST(BodyPublishers.ofByteArray(new byte[] {0x1f, (byte) 0x8b}))
            .build();
    var answer = CLIENT.send(zipped, BodyHandlers.ofString());
    assertProblem(answer, 415, "unsupported_media_type");
    assertThat(answer.body()).contains("Content-Encoding gzip");
  }

  @Test
  void says405ToMethodsThatItDoesNotKnow() throws Exception {
    var strange = request("/v1/probe").method("FOO", BodyPublishers.noBody()).build();
    assertProblem(CLIENT.send(strange, BodyHandlers.ofString()), 405, "method_not_allowed");
  }

  @Test
  void ignoresAByteOrderMark() throws Exception {
    assertThat(post("\ufeff{\"text\":\"t\"}").body()).isEqualTo("{\"text\":\"t\"}");
  }

  @Test
  void refusesAnswersThatItCannotGive() throws Exception {
    var xml = request("/v1/probe").header("Accept", "application/xml").build();
    assertProblem(CLIENT.send(xml, BodyHandlers.ofString()), 406, "not_acceptable");
  }

  @Test
  void refusesOtherMethods() throws Exception {
    var answer = CLIENT.send(request("/v1/probe").DELETE().build(), BodyHandlers.ofString());
    assertProblem(answer, 405, "method_not_allowed");
    assertThat(answer.headers().firstValue("Allow").orElse("")).contains("GET", "POST");
  }

  @Test
  void says404ForUnknownPaths() throws Exception {
    assertProblem(get("/v1/nothing"), 404, "not_found");
    assertProblem(get("/error"), 404, "not_found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/probe/[", "/v1/probe/%zz", "/v1/probe/a\\b", "/v1/probe?a=%7C|"})
  void answersRequestsThatTheContainerRefusesWithAProblem(String target) throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer)
          .startsWith("HTTP/1.1 400")
          .containsIgnoringCase("Content-Type: application/problem+json")
          .contains("\"code\":\"bad_request\"")
          .doesNotContainIgnoringCase("tomcat");
    }
  }

  @Test
  void says503WithoutADatabase() throws Exception {
    var answer = get("/v1/probe/fails/database");

    assertProblem(answer, 503, "database_unavailable");
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("5");
    assertThat(answer.body()).doesNotContain("db.internal");
  }

  @Test
  void keepsBugsToItself() throws Exception {
    var answer = get("/v1/probe/fails/anyhow");

    assertProblem(answer, 500, "internal_error");
    assertThat(answer.body()).doesNotContain("select", "Exception", "java");
  }

  /// The first with its trace, which is some hundred lines; the others are a line each.
  @Test
  void logsTheTraceOfABugOnce() throws Exception {
    var log = new ListAppender<ILoggingEvent>();
    log.start();
    var logger = (Logger) LoggerFactory.getLogger(ProblemHandler.class);
    logger.addAppender(log);
    try {
      for (int i = 0; i < CALLS; i++) {
        assertProblem(get("/v1/probe/fails/repeatedly"), 500, "internal_error");
      }
    } finally {
      logger.detachAppender(log);
    }

    var lines =
        log.list.stream()
            .filter(it -> it.getFormattedMessage().startsWith("GET /v1/probe/fails/repeatedly "))
            .map(ConventionsApiTests::lines)
            .toList();
    assertThat(lines).hasSize(CALLS);
    assertThat(lines.getFirst()).isBetween(2L, TRACE_LINES_MAX);
    assertThat(lines.subList(1, CALLS)).containsOnly(1L);
  }

  private static long lines(ILoggingEvent event) {
    var trace = event.getThrowableProxy();
    return event.getFormattedMessage().lines().count()
        + (trace == null ? 0 : ThrowableProxyUtil.asString(trace).lines().count());
  }

  @Test
  void writesFurtherMembersOfAProblem() throws Exception {
    var answer = get("/v1/probe/fails/service");

    assertThat(answer.body())
        .isEqualTo(
            """
            {"type":"urn:superstep:problem:nothing_to_resume","title":"Nothing to resume",\
            "status":409,"detail":"nothing","instance":"/v1/probe/fails/service",\
            "code":"nothing_to_resume","help":"/v1/error-codes/nothing_to_resume","open":["a"]}\
            """);
  }

  private static void assertProblem(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(member(answer, "/code")).as(answer.body()).isEqualTo(Value.of(code));
    assertThat(member(answer, "/type")).isEqualTo(Value.of("urn:superstep:problem:" + code));
    assertThat(member(answer, "/help")).isEqualTo(Value.of("/v1/error-codes/" + code));
    assertThat(member(answer, "/status")).isEqualTo(Value.of((long) status));
  }

  private static Value member(HttpResponse<String> answer, String pointer) {
    return Pointer.find(Json.read(answer.body()), pointer).orElse(Value.NULL);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return CLIENT.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String body) throws IOException, InterruptedException {
    var request =
        request("/v1/probe")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }
}
