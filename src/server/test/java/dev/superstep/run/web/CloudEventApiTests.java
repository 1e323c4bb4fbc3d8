package dev.superstep.run.web;

import static dev.superstep.run.web.Api.assertProblem;
import static dev.superstep.run.web.Api.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.ApiTest;
import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Events from outside as CloudEvents 1.0 has them over HTTP (E50).
@ApiTest
class CloudEventApiTests {
  private static final String STRUCTURED = "application/cloudevents+json";
  private static final String BATCH = "application/cloudevents-batch+json";

  @LocalServerPort private int port;
  private Api api = new Api(0);
  private String type = "";

  @BeforeEach
  void connects() {
    api = new Api(port);
    type = "t." + UUID.randomUUID();
    api.graph(
        """
        name: waits-for-cloud-event
        channels: { kind: {}, event: {} }
        nodes:
          - id: event
            type: wait
            config: { event: { name: "{{ state.kind }}" } }
        """);
  }

  private String event(String id, String more) {
    return """
    {"specversion": "1.0", "id": "%s-%s", "source": "/shop", "type": "%s"%s}\
    """
        .formatted(type, id, type, more);
  }

  /// What a run takes that begins to wait.
  private Value taken() {
    var run = api.get("/v1/runs/" + api.run("waits-for-cloud-event", Map.of("kind", type)).getId());
    assertThat(at(run, "/status")).as(run.body()).isEqualTo(Value.of("succeeded"));
    return at(run, "/output/event");
  }

  @Test
  void takesBatches() {
    var both = "[%s, %s]".formatted(event("1", ", \"data\": 1"), event("2", ", \"data\": 2"));

    assertThat(api.send("POST", "/v1/events", BATCH, both).statusCode()).isEqualTo(204);

    assertThat(taken()).isEqualTo(Json.read(event("1", ", \"data\": 1")));
    assertThat(api.send("POST", "/v1/events", BATCH, "[]").statusCode()).isEqualTo(204);
  }

  /// All of a batch, or nothing.
  @Test
  void saysWhichEventOfABatchIsWrong() {
    var wrong = "[%s, {\"specversion\": \"1.0\"}]".formatted(event("1", ""));

    var refused = api.send("POST", "/v1/events", BATCH, wrong);

    assertProblem(refused, 422, "invalid_request");
    assertThat(refused.body()).contains("\"/1/type\"", "\"/1/source\"", "\"/1/id\"");
    api.send("POST", "/v1/events", STRUCTURED, event("2", ""));
    assertThat(taken()).isEqualTo(Json.read(event("2", "")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "\"text\""})
  void refusesABatchThatIsNone(String body) {
    assertProblem(api.send("POST", "/v1/events", BATCH, body), 422, "invalid_value");
  }

  @Test
  void refusesMoreEventsThanABatchMayHave() {
    var many = "[" + (event("1", "") + ", ").repeat(100) + event("2", "") + "]";
    assertProblem(api.send("POST", "/v1/events", BATCH, many), 422, "invalid_value");
  }

  /// Its data may be any JSON, and its attributes are percent-encoded.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{\"order\": 7}", "[1, 2]", "\"text\"", "3.5", "true", "null"})
  void takesBinaryMode(String data) {
    var sent =
        api.post(
            "/v1/events",
            data,
            "ce-specversion",
            "1.0",
            "CE-Id",
            type,
            "ce-source",
            "/caf%C3%A9 +1",
            "ce-type",
            type,
            "ce-tenantid",
            "eve");

    assertThat(sent.statusCode()).as(sent.body()).isEqualTo(204);
    assertThat(taken())
        .isEqualTo(
            Json.read(
                """
                {"specversion": "1.0", "id": "%1$s", "source": "/café +1", "type": "%1$s",
                 "tenantid": "eve", "datacontenttype": "application/json", "data": %2$s}
                """
                    .formatted(type, data)));
  }

  @Test
  void saysWhatHeadersLackInBinaryMode() {
    var refused = api.post("/v1/events", "{}", "ce-id", "1", "ce-type", type);

    assertProblem(refused, 422, "invalid_request");
    assertThat(refused.body()).contains("\"/source\"", "\"/specversion\"");
  }
}
