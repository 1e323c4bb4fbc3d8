package dev.superstep.run.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Requests that are wrong: a status, a code and a place for each, and nothing stored.
@ApiTest
class BadRequestApiTests {
  @LocalServerPort private int port;
  @Autowired private JdbcClient jdbc;
  private Api api = new Api(0);

  @BeforeEach
  void connects() {
    api = new Api(port);
    api.graph(Graphs.division("bad-division"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                              | 422 | invalid_request          | /graph
          {"graph":"bad-division"}                                        | 422 | missing_field            | /input
          {"input":{"divisor":1}}                                         | 422 | missing_field            | /graph
          {"graph":null,"input":{}}                                       | 422 | missing_field            | /graph
          {"graph":"no-such","input":{}}                                  | 404 | graph_not_found          | -
          {"graph":"Bad Name!","input":{}}                                | 404 | graph_not_found          | -
          {"graph":"bad-division","version":99,"input":{"divisor":1}}     | 404 | version_not_found        | -
          {"graph":"bad-division","version":"1","input":{"divisor":1}}    | 422 | wrong_type               | /version
          {"graph":"bad-division","version":1.5,"input":{"divisor":1}}    | 422 | wrong_type               | /version
          {"graph":"bad-division","input":[]}                             | 422 | wrong_type               | /input
          {"graph":"bad-division","input":null}                           | 422 | missing_field            | /input
          {"graph":"bad-division","input":{}}                             | 422 | invalid_input            | /input
          {"graph":"bad-division","input":{"divisor":"1"}}                | 422 | invalid_input            | /input/divisor
          {"graph":"bad-division","input":{"divisor":1e999}}              | 422 | number_not_representable | /input/divisor
          {"graph":"bad-division","input":{"divisor":1,"x":"a\\u0000"}}   | 422 | nul_character            | /input/x
          {"graph":"bad-division","input":{"divisor":1,"x":"\\udc00"}}    | 422 | lone_surrogate           | /input/x
          {"graph":"bad-division","input":{"divisor":1,"divisor":2}}      | 422 | duplicate_key            | /input/divisor
          {"graph":"bad-division","input":{"divisor":1,"":1}}             | 422 | invalid_input            | /input/
          {"graph":"bad-division","input":{"divisor":1,"a-b":1}}          | 422 | invalid_input            | /input/a-b
          {"graph":"bad-division","input":{"divisor":1,"1x":1}}           | 422 | invalid_input            | /input/1x
          {"graph":"bad-division","input":{"divisor":1,"é":1}}            | 422 | invalid_input            | /input/é
          {"graph":"bad-division","input":{"divisor":1,"__n":1}}          | 422 | invalid_input            | /input/__n
          {"graph":"bad-division","input":{"divisor":1},"nodes":[]}       | 422 | unknown_field            | /nodes
          {"graph":"bad-division","input":{"divisor":1},"status":"x"}     | 422 | unknown_field            | /status
          {"graph":"bad-division","input":{"divisor":1},"id":"a/b"}       | 422 | invalid_value            | /id
          {"graph":"bad-division","input":{"divisor":1},"id":""}          | 422 | invalid_value            | /id
          {"graph":"bad-division","input":{"divisor":1},"thread_id":"-a"} | 422 | invalid_value            | /thread_id
          {"graph":"bad-division","input":{"divisor":1},"metadata":{"a":1}}      | 422 | wrong_type        | /metadata/a
          {"graph":"bad-division","input":{"divisor":1},"metadata":{"":"b"}}     | 422 | invalid_value     | /metadata/
          {"graph":"bad-division","input":{"divisor":1},"metadata":{"a:b":"c"}}  | 422 | invalid_value     | /metadata/a:b
          {"graph":"bad-division","input":{"divisor":1},"context":{"template":"{{ bogus( }}"}} | 422 | invalid_expression | /context/template
          {"graph":"bad-division","input":{"divisor":1},"priority":100000}       | 422 | invalid_value     | /priority
          {"graph":"bad-division","input":{"divisor":1},"durability":"fast"}     | 422 | invalid_value     | /durability
          {"graph":"bad-division","input":{"divisor":1},"start_at":"soon"}       | 422 | wrong_type        | /start_at
          {"graph":"bad-division","input":{"divisor":1},"start_at":"+99999-01-01T00:00:00Z"} | 422 | invalid_value | /start_at
          {"graph":"bad-division","input":{"divisor":1},"interrupt_before":"divide"}   | 422 | wrong_type    | /interrupt_before
          {"graph":"bad-division","input":{"divisor":1},"interrupt_after":["nobody"]}  | 422 | invalid_value | /interrupt_after
          {"graph":"bad-division","input":{"divisor":1},"limits":{"max_supersteps":0}} | 422 | invalid_value | /limits/max_supersteps
          {"graph":"bad-division","input":{"divisor":1},"limits":{"max_steps":5}}      | 422 | unknown_field | /limits/max_steps
          {"graph":"bad-division","input":{"divisor":1},"limits":{"timeout":"soon"}}   | 422 | invalid_value | /limits/timeout
          {"graph":"bad-division","input":{"divisor":1},"limits":{"max_supersteps":2000000000}} | 422 | limit_exceeded | /limits/max_supersteps
          {"graph":"bad-division","input":{"divisor":1},"context":{"history":[]}}      | 422 | unknown_field | /context/history
          {"graph":"bad-division","input":{"divisor":1},"context":"x"}                 | 422 | wrong_type    | /context
          [{"graph":"bad-division"}]                                      | 422 | wrong_type               | ``
          {"graph":"bad-division",                                        | 400 | unreadable_body          | -
          """)
  void startsNothing(String body, int status, String code, String pointer) {
    long runs = runs();

    var answer = api.post("/v1/runs", body.strip(), "Idempotency-Key", "bad-" + body.hashCode());

    Api.assertProblem(answer, status, code);
    if (!pointer.equals("-")) {
      assertThat(Api.at(answer, "/errors/0/pointer")).isEqualTo(Value.of(pointer));
    }
    assertThat(runs()).isEqualTo(runs);
    assertThat(
            jdbc.sql(
                    "select count(*) from run_input i left join run r on r.id = i.run where r.id is"
                        + " null")
                .query(Long.class)
                .single())
        .isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          resume | {"answers":{}}                              | 422 | wrong_type    | /answers
          resume | {"answers":[{"interrupt_id":"a"}]}          | 422 | missing_field | /answers/0/value
          resume | {"answers":[{"value":1,"id":"a"}]}          | 422 | unknown_field | /answers/0/id
          resume | {"resolve":[{}]}                            | 422 | missing_field | /resolve/0/task_id
          resume | {"change":{"set":{}}}                       | 422 | unknown_field | /change/set
          resume | {"change":{"update":[]}}                    | 422 | wrong_type    | /change/update
          resume | {"change":{"remove":"a"}}                   | 422 | wrong_type    | /change/remove
          resume | {"limits":{"timeout":5}}                    | 422 | wrong_type    | /limits/timeout
          resume | {"answer":{}}                               | 422 | unknown_field | /answer
          resume | []                                          | 422 | wrong_type    | ``
          resume | {"change":{"update":{"a-b":1}}}             | 422 | invalid_change | /change/update/a-b
          resume | {"change":{"update":{"__n":1}}}             | 422 | invalid_change | /change/update/__n
          resume | {"change":{"overwrite":{"":1},"update":{"b":1}}} | 422 | invalid_change | /change/overwrite/
          resume | {"change":{"remove":["a","a-b"]}}           | 422 | invalid_change | /change/remove/1
          resume | {"change":{"remove_messages":["nope"]}}     | 422 | invalid_change | /change/remove_messages
          cancel | {bad                                        | 400 | unreadable_body | -
          cancel | {"foo":1}                                   | 422 | unknown_field  | /foo
          cancel | []                                          | 422 | wrong_type     | ``
          fork   | {"checkpoint":0,"change":{"update":{"é":1}}} | 422 | invalid_change | /change/update/é
          fork   | {"checkpoint":0,"change":{"update":{"__n":1}}} | 422 | invalid_change | /change/update/__n
          fork   | {}                                          | 422 | missing_field | /checkpoint
          fork   | {"checkpoint":"0"}                          | 422 | wrong_type    | /checkpoint
          fork   | {"checkpoint":-1}                           | 404 | checkpoint_not_found | -
          fork   | {"checkpoint":0,"version":99}               | 404 | version_not_found    | -
          fork   | {"checkpoint":0,"as_node":7}                | 422 | wrong_type    | /as_node
          fork   | {"checkpoint":0,"change":{"overwrite":1}}   | 422 | wrong_type    | /change/overwrite
          """)
  void changesNothing(String call, String body, int status, String code, String pointer) {
    var run = api.run("bad-division", java.util.Map.of("divisor", 0));
    long events = events(run.getId());

    var answer = api.post("/v1/runs/" + run.getId() + "/" + call, body.strip());

    Api.assertProblem(answer, status, code);
    if (!pointer.equals("-")) {
      assertThat(Api.at(answer, "/errors/0/pointer")).isEqualTo(Value.of(pointer));
    }
    assertThat(api.runs.getRun(run.getId(), null, null)).isEqualTo(run);
    assertThat(events(run.getId())).isEqualTo(events);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/runs?status=done,422,invalid_parameter",
    "/v1/runs?metadata=a,422,invalid_parameter",
    "/v1/runs?metadata=:a,422,invalid_parameter",
    "/v1/runs?metadata=a:1&metadata=a:2,422,invalid_parameter",
    "/v1/runs?created_after=monday,422,invalid_parameter",
    "/v1/runs?cursor=nonsense,422,invalid_parameter",
    "/v1/runs?graph=%00,422,invalid_parameter",
    "/v1/runs?offset=10,422,unknown_parameter",
    "/v1/interrupts?status=closed,422,invalid_parameter",
    "/v1/interrupts?cursor=AAAA,422,invalid_parameter",
    "/v1/runs/x?wait=2m,422,invalid_parameter",
    "/v1/runs/x/events?after=-1,422,invalid_parameter",
    "/v1/runs/x/events?cursor=zz,422,invalid_parameter",
    "/v1/runs/x/state?checkpoint=first,422,invalid_parameter",
    "/v1/runs/x/tasks?status=done,422,invalid_parameter",
    "/v1/runs/x/stream?follow=1,422,invalid_parameter",
    "/v1/runs/x/checkpoints/first,422,invalid_parameter",
    "/v1/threads/none,404,thread_not_found",
    "/v1/interrupts/none,404,interrupt_not_found"
  })
  void findsNothing(String path, int status, String code) {
    Api.assertProblem(api.get(path), status, code);
  }

  /// Cursors that no list has written: `~` stands for the separator of their parts.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2020~x",
        "~",
        "1~2",
        "-5:zz~x",
        "9999999-01-01T00:00:00Z~x",
        "+999999999-01-01T00:00:00Z~x",
        "-0001-01-01T00:00:00Z~x",
        "infinity~x",
        "now~x"
      })
  void readsNoForgedCursors(String parts) {
    var run = api.run("bad-division", java.util.Map.of("divisor", 0)).getId();
    var cursor =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(parts.replace('~', '\u001f').getBytes(StandardCharsets.UTF_8));
    for (var list : List.of("runs", "graphs", "interrupts", "runs/" + run + "/interrupts")) {
      Api.assertProblem(api.get("/v1/" + list + "?cursor=" + cursor), 422, "invalid_parameter");
    }
  }

  @Test
  void cancelsWithoutABodyOrWithNothingInIt() {
    api.graph(Graphs.sleeper("bad-sleeper"));
    for (var body : List.of("", "{}")) {
      var run = api.runs.startRun(Api.start("bad-sleeper", java.util.Map.of()), null, null).getId();
      var answer = api.post("/v1/runs/" + run + "/cancel?wait=30s", body);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(Api.at(answer, "/status")).isEqualTo(Value.of("cancelled"));
    }
  }

  @Test
  void cancelsNothingForATextOrAKeyThatHasSaidSomethingElse() {
    var run = api.run("bad-division", java.util.Map.of("divisor", 0)).getId();
    var path = "/v1/runs/" + run + "/cancel";

    Api.assertProblem(api.send("POST", path, "text/plain", "x"), 415, "unsupported_media_type");
    assertThat(api.post(path, "", "Idempotency-Key", "cancel-" + run).statusCode()).isEqualTo(202);
    var other = api.post(path, "{\"foo\":1}", "Idempotency-Key", "cancel-" + run);
    Api.assertProblem(other, 422, "unknown_field");
  }

  @Test
  void pointsAtPartsOfThePathInBraces() {
    var answer = api.get("/v1/runs/x/checkpoints/first");
    assertThat(Api.at(answer, "/errors/0/pointer")).isEqualTo(Value.of("{number}"));
    assertThat(Api.at(answer, "/errors/0/message")).isEqualTo(Value.of("must be an integer"));
  }

  @Test
  void saysWhoseChangeAChannelCannotTake() {
    var run = api.run("bad-division", java.util.Map.of("divisor", 0)).getId();
    var edit = api.post("/v1/runs/" + run + "/resume", "{\"change\":{\"update\":{\"__n\":1}}}");
    assertThat(Api.at(edit, "/detail").toString()).contains("the edit").doesNotContain("__start__");
    var remove =
        api.post("/v1/runs/" + run + "/resume", "{\"change\":{\"remove_messages\":[\"nope\"]}}");
    assertThat(Api.at(remove, "/detail").toString()).contains("nope").doesNotContain("''");
  }

  @Test
  void saysAllThatIsWrongAtOnce() {
    var answer =
        api.post("/v1/runs", "{\"limits\":{\"timeout\":\"x\"},\"metadata\":{\"a\":\"b\"}}");

    Api.assertProblem(answer, 422, "invalid_request");
    assertThat(Api.at(answer, "/errors").toString())
        .contains("/graph", "/input", "/limits/timeout");
  }

  /// Of the graph of these tests: others share the service, and have runs that go on.
  private long runs() {
    return jdbc.sql("select count(*) from run where graph = 'bad-division'")
        .query(Long.class)
        .single();
  }

  private long events(String run) {
    return jdbc.sql("select count(*) from run_event where run = ?")
        .param(run)
        .query(Long.class)
        .single();
  }
}
