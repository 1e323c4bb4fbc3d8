package dev.superstep.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.json.Json;
import dev.superstep.langgraph.FaceClient;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/// Requests that are made of the documents of both faces, and broken: none of them is a failure of
/// the service, and every answer has a status that the document lists. They leave so much behind
/// that they have a service of their own.
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"management.server.port=0", "superstep.langgraph.enabled=true"})
@Import(TestDatabase.class)
class ApiFuzzTests {
  private static final int REQUESTS = Integer.getInteger("superstep.fuzz.requests", 800);
  private static final long SEED = Long.getLong("superstep.fuzz.seed", System.nanoTime());
  private static final int CALLERS = 8;
  private static final int SILENCE_MS = 20_000;
  private static final String GRAPH =
      """
      name: fuzzed
      channels: { messages: { reducer: messages } }
      nodes: [{ id: a, type: human, config: { payload: "well?" } }]
      edges: [{ from: __start__, to: a }]
      """;
  private static final List<String> TYPES =
      List.of(
          "*/*",
          "application/*",
          "application/yaml",
          "application/x-yaml",
          "text/plain",
          "text/*",
          "application/json;charset=no-such",
          "application/json;charset=utf-16",
          "application/*+json",
          "application/problem+json",
          "application/octet-stream",
          "multipart/form-data",
          "application/x-www-form-urlencoded",
          "json");
  private static final List<String> ACCEPTED =
      List.of("application/json", "application/xml", "text/event-stream", "text/*", "x", "*/*;q=2");
  private static final List<String> WORDS =
      List.of(
          "%ff",
          "%",
          "%zz",
          "",
          "-1",
          "0",
          "1",
          "99999999999999999999",
          "true",
          "null",
          "%00",
          "1e400",
          "a%20b",
          "%F0%9F%92%A9",
          "%5B%22values%22%5D",
          "%5B",
          "NaN",
          "2026-01-01T00:00:00Z");
  private static final List<String> MEMBERS =
      List.of(
          "assistant_id",
          "graph_id",
          "input",
          "command",
          "config",
          "context",
          "metadata",
          "checkpoint",
          "checkpoint_id",
          "stream_mode",
          "multitask_strategy",
          "if_not_exists",
          "interrupt_before",
          "durability",
          "run_id",
          "thread_id",
          "thread_ids",
          "run_ids",
          "status",
          "limit",
          "offset",
          "ids",
          "values",
          "as_node",
          "namespace",
          "key",
          "value",
          "ttl",
          "namespace_prefix",
          "prefix",
          "suffix",
          "max_depth",
          "filter",
          "query",
          "sort_by",
          "sort_order",
          "select",
          "before",
          "supersteps",
          "if_exists",
          "version",
          "name",
          "method",
          "params",
          "channels",
          "since",
          "id",
          "on_disconnect",
          "webhook",
          "strategy",
          "extract");

  @LocalServerPort private int port;
  private final Map<String, String> failures = new ConcurrentSkipListMap<>();
  private final Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
  private List<String> ids = List.of();

  /// An operation of a document.
  private record Call(String method, String path, ObjectValue operation, ObjectValue schemas) {}

  @ParameterizedTest
  @CsvSource({"/v3/api-docs/v1, ''", "/v3/api-docs/langgraph, /langgraph"})
  void answersWhateverComesAsItsDocumentSays(String document, String face) throws Exception {
    makeFixtures();
    var calls = calls(new FaceClient(port).send("GET", document, null).object());
    assertThat(calls).allMatch(it -> it.path().startsWith(face));
    try (var callers = Executors.newFixedThreadPool(CALLERS)) {
      for (int caller = 0; caller < CALLERS; caller++) {
        var random = new Random(SEED + caller);
        callers.execute(() -> {
          for (int i = 0; i < REQUESTS / CALLERS; i++) {
            attempt(calls.get(random.nextInt(calls.size())), random);
          }
        });
      }
    }
    System.out.printf("fuzz: %s, seed %d, statuses %s%n", document, SEED, statuses);
    assertThat(failures.values()).as("seed " + SEED).isEmpty();
    assertThat(answered()).isEqualTo(REQUESTS / CALLERS * CALLERS);
  }

  private int answered() {
    return statuses.values().stream().mapToInt(it -> it).sum();
  }

  private void makeFixtures() {
    var client = new FaceClient(port);
    client.graph(GRAPH);
    var thread = client.post("/threads", "{}").ok().at("/thread_id");
    var begin = "{\"assistant_id\": \"fuzzed\", \"input\": {}}";
    client.post("/threads/" + thread + "/runs/wait", begin).ok();
    var run = client.get("/threads/" + thread + "/runs").ok().at("/0/run_id");
    var state = client.get("/threads/" + thread + "/state").ok();
    ids = List.of("fuzzed", thread, run, state.at("/checkpoint/checkpoint_id"), "none", "1", "a");
  }

  private static List<Call> calls(ObjectValue document) {
    var found = new ArrayList<Call>();
    var components = (ObjectValue) document.getOr("components", ObjectValue.empty());
    var schemas = (ObjectValue) components.getOr("schemas", ObjectValue.empty());
    ((ObjectValue) document.getOr("paths", ObjectValue.empty()))
        .forEach((path, methods) ->
            ((ObjectValue) methods)
                .forEach((method, operation) ->
                    found.add(
                        new Call(
                            method.toUpperCase(Locale.ROOT),
                            path,
                            (ObjectValue) operation,
                            schemas))));
    return found;
  }

  private void attempt(Call call, Random random) {
    var request = new Request(call, random).make();
    try {
      int status = send(request);
      statuses.merge(status, 1, Integer::sum);
      var known = ((ObjectValue) call.operation().getOr("responses", ObjectValue.empty()));
      if (status == 500 || !known.has(Integer.toString(status))) {
        failures.putIfAbsent(
            call.method() + " " + call.path() + " " + status,
            call.method() + " " + call.path() + " → " + status + " to " + shown(request));
      }
    } catch (IOException | RuntimeException e) {
      failures.putIfAbsent(
          call.method() + " " + call.path() + " !",
          call.path() + ": " + e + " to " + shown(request));
    }
  }

  private static String shown(byte[] request) {
    var text = new String(request, ISO_8859_1).replace("\r\n", " ¶ ");
    return text.length() > 400 ? text.substring(0, 400) + "…" : text;
  }

  private int send(byte[] request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(SILENCE_MS);
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
      var line =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
      if (line == null) {
        throw new IOException("no answer");
      }
      return Integer.parseInt(line.split(" ", -1)[1]);
    }
  }

  /// One request.
  private final class Request {
    private final Call call;
    private final Random random;

    Request(Call call, Random random) {
      this.call = call;
      this.random = random;
    }

    private <T> T any(List<T> of) {
      return of.get(random.nextInt(of.size()));
    }

    private boolean once(int in) {
      return random.nextInt(in) == 0;
    }

    byte[] make() {
      var head = new StringBuilder(call.method()).append(' ').append(path()).append(query());
      head.append(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
      if (once(10)) {
        head.append("Accept: ").append(any(ACCEPTED)).append("\r\n");
      }
      if (once(10)) {
        var key = once(2) ? "k" + random.nextInt(3) : any(List.of("", "a b", "ü", "x".repeat(300)));
        head.append("Idempotency-Key: ").append(key).append("\r\n");
      }
      if (once(10)) {
        var last = any(List.of("x", "-1", "0", "99999999999999999999", ""));
        head.append("Last-Event-ID: ").append(last).append("\r\n");
      }
      var body = new byte[0];
      if (call.operation().has("requestBody") ? !once(15) : once(15)) {
        body = body();
        head.append("Content-Type: ").append(type()).append("\r\n");
      }
      head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
      var request = new ByteArrayOutputStream();
      request.writeBytes(head.toString().getBytes(UTF_8));
      request.writeBytes(body);
      return request.toByteArray();
    }

    /// What erases is mostly called for what is not there.
    private String path() {
      boolean erases = call.method().equals("DELETE") && !once(10);
      var path = call.path();
      while (path.contains("{")) {
        var odd = any(List.of("%ff", "a%20b", "x".repeat(300), "%F0%9F%92%A9", "-1", "A-1"));
        var id = erases ? "none" : once(4) ? odd : any(ids);
        path = path.replaceFirst("\\{[^}]*}", id);
      }
      return path;
    }

    private String query() {
      var pairs = new ArrayList<String>();
      for (var item : (ListValue) call.operation().getOr("parameters", ListValue.empty())) {
        var parameter = (ObjectValue) item;
        var name = text(parameter, "name");
        if (text(parameter, "in").equals("query") && once(2)) {
          // No call is to wait for long.
          pairs.add(name + "=" + (once(2) || name.equals("wait") ? any(WORDS) : any(ids)));
        }
      }
      if (once(8)) {
        pairs.add(any(List.of("cursor", "x", "limit", "cancel_on_disconnect")) + "=" + any(WORDS));
      }
      return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }

    private String type() {
      var content =
          call.operation().get("requestBody") instanceof ObjectValue body
                  && body.get("content") instanceof ObjectValue types
              ? new ArrayList<>(types.asMap().keySet())
              : List.of("application/json");
      return once(5) ? any(TYPES) : any(content);
    }

    private byte[] body() {
      if (once(12)) {
        var broken =
            List.of(
                "{",
                "[]",
                "null",
                "\"x\"",
                "",
                "{\"a\":1}}",
                "{\"a\":1,\"a\":2}",
                "1e999",
                "[".repeat(2_000),
                "{\"a\":\"\\u0000\"}",
                "a: b",
                "- x",
                "{\"\\ud800\":1}");
        return any(broken).getBytes(UTF_8);
      }
      var bytes = Json.write(value(schema(), 0)).getBytes(UTF_8);
      if (once(30) && bytes.length > 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      return bytes;
    }

    private ObjectValue schema() {
      if (call.operation().get("requestBody") instanceof ObjectValue body
          && body.get("content") instanceof ObjectValue types
          && types.get("application/json") instanceof ObjectValue media
          && media.get("schema") instanceof ObjectValue schema) {
        return schema;
      }
      return ObjectValue.empty();
    }

    private Value value(ObjectValue schema, int depth) {
      if (once(12)) {
        return odd();
      }
      if (schema.get("$ref") instanceof Value.Text(var ref)) {
        var name = ref.substring(ref.lastIndexOf('/') + 1);
        return call.schemas().get(name) instanceof ObjectValue known && depth < 6
            ? value(known, depth + 1)
            : odd();
      }
      if (schema.get("properties") instanceof ObjectValue members) {
        return some(members, depth);
      }
      if (schema.get("enum") instanceof ListValue words && !words.isEmpty()) {
        return any(words.asList());
      }
      if (schema.get("items") instanceof ObjectValue item) {
        return ListValue.of(List.of(value(item, depth + 1)));
      }
      return switch (text(schema, "type")) {
        case "string" -> Value.of(once(3) ? any(WORDS) : any(ids));
        case "integer" -> Value.of(random.nextInt(-2, 200));
        case "boolean" -> Value.of(random.nextBoolean());
        default -> members(depth);
      };
    }

    private Value some(ObjectValue members, int depth) {
      var object = ObjectValue.builder();
      members.forEach((name, member) -> {
        if (!once(3) && member instanceof ObjectValue known) {
          object.put(name, value(known, depth + 1));
        }
      });
      return object.build();
    }

    /// Of a body without a schema of its own.
    private Value members(int depth) {
      if (depth > 2) {
        return odd();
      }
      var object = ObjectValue.builder();
      if (!once(3)) {
        object.put("assistant_id", Value.of("fuzzed"));
      }
      for (int i = random.nextInt(5); i > 0; i--) {
        object.put(any(MEMBERS), once(2) ? odd() : members(depth + 1));
      }
      return object.build();
    }

    private Value odd() {
      return switch (random.nextInt(12)) {
        case 0 -> Value.NULL;
        case 1 -> Value.of(random.nextInt());
        case 2 -> Value.of(Long.MAX_VALUE);
        case 3 -> Value.of(random.nextBoolean());
        case 4 -> Value.of(hex(5_000));
        case 5 -> ListValue.of(List.of(Value.of(hex(2_000)), Value.of("a.b")));
        case 6 -> Value.of("\u0001💩\uffff");
        case 7 -> ListValue.empty();
        case 8 -> ObjectValue.of("", Value.of(1));
        case 9 -> ListValue.of(List.of(ObjectValue.of("x", Value.NULL)));
        default -> Value.of(any(ids));
      };
    }

    /// Does not compress.
    private String hex(int length) {
      var bytes = new byte[length / 2];
      random.nextBytes(bytes);
      return HexFormat.of().formatHex(bytes);
    }
  }

  private static String text(ObjectValue object, String member) {
    return object.get(member) instanceof Value.Text(var text) ? text : "";
  }
}
