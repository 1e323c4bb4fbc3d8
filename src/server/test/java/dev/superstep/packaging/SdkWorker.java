package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/// The example of a client that is a worker, as a process beside a service.
final class SdkWorker {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String GRAPHS =
      """
      {"name": "sdk-orders",
       "channels": {"orders": {}, "receipts": {"reducer": "append"}},
       "nodes": [
         {"id": "each", "type": "expression", "targets": ["pay"],
          "config": {"dispatch": "{{ fan_out('pay', state.orders, 'order') }}"}},
         {"id": "pay", "type": "worker", "config": {
           "task_type": "charge", "input": "{{ input.order }}",
           "result": {"update": {"receipts": ["{{ response.number }}"]}}}}],
       "edges": [{"from": "__start__", "to": "each"}]}
      ---
      {"name": "sdk-parcel",
       "channels": {"parcel": {}, "number": {}},
       "nodes": [{"id": "send", "type": "worker", "config": {
          "task_type": "ship", "input": "{{ state.parcel }}", "heartbeat": "3s",
          "result": {"update": {"number": "{{ response.number }}"}}}}],
       "edges": [{"from": "__start__", "to": "send"}]}
      """;

  private final String base;
  private final ProcessBuilder program;
  private final HttpClient http = HttpClient.newHttpClient();

  SdkWorker(String base, ProcessBuilder program) {
    this.base = base;
    this.program = program;
  }

  /// Ten tasks are done, one fails with its code, one is cancelled, and one is done although the
  /// worker is told to end meanwhile.
  void worksAsItShould() throws IOException, InterruptedException {
    for (var graph : GRAPHS.split("---", -1)) {
      assertThat(post("/v1/graphs", graph).text("name")).startsWith("sdk-");
    }
    var process = program.start();
    try {
      doesTen();
      failsOne();
      cancelsOne();
      stops(process);
    } finally {
      process.destroyForcibly();
    }
  }

  private void doesTen() throws IOException, InterruptedException {
    var orders =
        IntStream.range(0, 10)
            .<Value>mapToObj(it -> ObjectValue.of("id", "o-" + it).plus("cents", 90))
            .toList();
    var done = end(start("sdk-orders", ObjectValue.of("orders", ListValue.of(orders))));
    assertThat(done.text("status")).as(done.toString()).isEqualTo("succeeded");
    assertThat(((ListValue) done.object("output").getOr("receipts", Value.NULL)).stream())
        .containsExactlyElementsOf(
            IntStream.range(0, 10).<Value>mapToObj(it -> Value.of("r-o-" + it)).toList());
  }

  private void failsOne() throws IOException, InterruptedException {
    var order = ObjectValue.of("id", "dear").plus("cents", 20_000);
    var failed = end(start("sdk-orders", ObjectValue.of("orders", ListValue.of(List.of(order)))));
    assertThat(failed.text("status")).isEqualTo("failed");
    assertThat(failed.object("error").text("code")).isEqualTo("card_declined");
    assertThat(failed.object("error").text("message")).contains("20000 cents are too much");
  }

  private void cancelsOne() throws IOException, InterruptedException {
    var run = start("sdk-parcel", parcel("slow", 600));
    awaitLine("ships slow");
    post("/v1/runs/" + run + "/cancel", "{}");
    awaitLine("cancelled slow");
    assertThat(end(run).text("status")).isEqualTo("cancelled");
  }

  private void stops(Process process) throws IOException, InterruptedException {
    var run = start("sdk-parcel", parcel("last", 20));
    awaitLine("ships last");
    process.destroy();
    var done = end(run);
    assertThat(done.text("status")).as(done.toString()).isEqualTo("succeeded");
    assertThat(done.object("output").text("number")).isEqualTo("p-last");
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(output()).contains("shipped last");
  }

  private static ObjectValue parcel(String id, int steps) {
    return ObjectValue.of("parcel", ObjectValue.of("id", id).plus("steps", steps));
  }

  private String output() throws IOException {
    var log = Objects.requireNonNull(program.redirectOutput().file()).toPath();
    return Files.readString(log, StandardCharsets.UTF_8);
  }

  private void awaitLine(String line) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(output()).contains(line));
  }

  private String start(String graph, ObjectValue input) throws IOException, InterruptedException {
    var run = "sdk-" + UUID.randomUUID();
    post(
        "/v1/runs",
        Canonical.text(ObjectValue.of("graph", graph).plus("id", run).plus("input", input)));
    return run;
  }

  private ObjectValue end(String run) throws IOException, InterruptedException {
    return get("/v1/runs/" + run + "?wait=30s");
  }

  private ObjectValue get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(base + path)).GET());
  }

  private ObjectValue post(String path, String body) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private ObjectValue send(HttpRequest.Builder request) throws IOException, InterruptedException {
    var response = http.send(request.build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
    return (ObjectValue) Json.read(response.body());
  }
}
