import com.sun.net.httpserver.HttpExchange;
import dev.superstep.client.ApiException;
import dev.superstep.client.ConflictException;
import dev.superstep.client.Definition;
import dev.superstep.client.InvalidRequestException;
import dev.superstep.client.NotFoundException;
import dev.superstep.client.OverloadedException;
import dev.superstep.client.RunTimeoutException;
import dev.superstep.client.Runs;
import dev.superstep.client.Runs.Waiting;
import dev.superstep.client.ServiceUnreachableException;
import dev.superstep.client.Settings;
import dev.superstep.client.StreamOptions;
import dev.superstep.client.Superstep;
import dev.superstep.client.SuperstepException;
import dev.superstep.client.model.NewKey;
import dev.superstep.client.model.RunEvent;
import dev.superstep.client.model.StartRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// What the Java client does with a service that misbehaves.
public class ClientTest extends Tests {
  private interface Answer {
    void to(HttpExchange exchange) throws IOException, InterruptedException;
  }

  private record Request(String call, Map<String, List<String>> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, Collections.singletonList(null)).get(0);
    }
  }

  private static final StartRun RUN = StartRun.of("g", Map.of());
  private static final String LIVE =
      "event: message.delta\ndata: {\"type\":\"message.delta\",\"data\":{\"text\":\"Hi\"}}\n\n";

  private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());

  public void keepsOneIdempotencyKeyOverAllRepetitionsOfACall() throws Exception {
    var client =
        serve(
            hangUp(),
            problem(503, "database_unavailable", "Retry-After", "0"),
            problem(409, "idempotency_in_progress"),
            json(200, run("succeeded")));

    same("succeeded", client.runs().start(RUN).status().toString());

    same(4, requests.size());
    same(1L, requests.stream().map(it -> it.header("Idempotency-key")).distinct().count());
    check(requests.get(0).header("Idempotency-key") != null);
    same("Bearer k-1", requests.get(0).header("Authorization"));
    client.runs().start(RUN);
    check(!Objects.equals(last().header("Idempotency-key"), requests.get(0).header("Idempotency-key")));
    client.withIdempotencyKey("mine").runs().start(RUN);
    same("mine", last().header("Idempotency-key"));
  }

  public void waitsAsLongAsRetryAfterSays() throws Exception {
    var client = serve(problem(429, "busy", "Retry-After", "1"), json(200, run("succeeded")));
    long begin = System.nanoTime();
    client.runs().get("r-1");
    check(System.nanoTime() - begin >= 950_000_000);
  }

  public void givesUpAfterItsRetries() throws Exception {
    var client = serve(problem(503, "server_busy"));
    fails(OverloadedException.class, () -> client.runs().get("r-1"));
    same(4, requests.size());
  }

  public void givesUpAtOnceIfItWouldHaveToWaitTooLong() throws Exception {
    var client = serve(problem(503, "server_busy", "Retry-After", "3600"));
    var failure = fails(OverloadedException.class, () -> client.runs().get("r-1"));
    same(Duration.ofHours(1), failure.retryAfter().orElseThrow());
    same(1, requests.size());
  }

  public void saysThatNobodyAnswers() throws Exception {
    var client = serve(hangUp());
    fails(ServiceUnreachableException.class, () -> client.runs().start(RUN));
    same(4, requests.size());
  }

  public void doesNotRepeatWhatIsWrong() throws Exception {
    var client =
        serve(
            json(
                422,
                "{\"status\":422,\"code\":\"invalid_input\",\"detail\":\"d\",\"errors\":"
                    + "[{\"pointer\":\"/input/name\",\"code\":\"type\",\"message\":\"must be a string\"}]}"));
    var failure = fails(InvalidRequestException.class, () -> client.runs().start(RUN));
    same("invalid_input", failure.code());
    same("/input/name", failure.violations().get(0).pointer());
    check(failure.getMessage().contains("/input/name: must be a string"));
    same(1, requests.size());
  }

  public void doesNotRepeatWhatWouldHaveAnEffectTwice() throws Exception {
    var client = serve(hangUp());
    fails(ServiceUnreachableException.class, () -> client.keys().create(NewKey.of("n").withScopes(List.of(NewKey.Scope.READ))));
    same(1, requests.size());
  }

  public void namesFailuresByTheirStatus() throws Exception {
    var client =
        serve(problem(404, "run_not_found"), problem(409, "thread_busy"), json(400, "<html>"));
    fails(NotFoundException.class, () -> client.runs().get("r"));
    fails(ConflictException.class, () -> client.runs().start(RUN));
    same("http_400", fails(ApiException.class, () -> client.runs().get("r")).code());
  }

  public void takesADeletionForDoneThatWasNotAnswered() throws Exception {
    serve(hangUp(), problem(404, "run_not_found")).runs().delete("r-1");
    same(2, requests.size());
  }

  public void sendsPathsListsAndDefinitionsAsTheyAreMeant() throws Exception {
    var client = serve(json(200, "{\"items\":[]}"));
    client.runs().get("a/../b c?");
    client
        .runs()
        .search(
            Runs.SearchOptions.of()
                .withStatus(List.of(Runs.SearchOptions.Status.FAILED, Runs.SearchOptions.Status.QUEUED))
                .withLimit(5));
    client.graphs().create(Definition.yaml("name: g"));
    client.graphs().create(Definition.json(Map.of("name", "g")));
    same(
        List.of(
            "GET/v1/runs/a%2F..%2Fb%20c%3F",
            "GET/v1/runs?status=failed&status=queued&limit=5",
            "POST/v1/graphs",
            "POST/v1/graphs"),
        calls());
    same("application/yaml", requests.get(2).header("Content-type"));
    same("{\"name\":\"g\"}", requests.get(3).body());
    fails(IllegalArgumentException.class, () -> client.runs().get(".."));
  }

  public void sendsWhatIsGivenAndNullAsAnAnswer() throws Exception {
    var client = serve(json(200, run("succeeded")));
    client.runs().start(RUN.withThreadId("t").withIfBusy(StartRun.IfBusy.ENQUEUE));
    same("{\"graph\":\"g\",\"if_busy\":\"enqueue\",\"input\":{},\"thread_id\":\"t\"}", last().body());
    client.runs().answer("r-1", null);
    same("{\"answers\":[{\"value\":null}]}", last().body());
  }

  public void readsWhatANewerServiceSays() throws Exception {
    var client = serve(json(200, "{\"id\":\"r-1\",\"status\":\"dreaming\",\"new\":{}}"));
    same("unknown", client.runs().get("r-1").status().toString());
  }

  public void waitsOnUntilTheRunIsAtRest() throws Exception {
    var client =
        serve(
            json(202, run("queued")),
            json(200, run("running")),
            json(200, "{\"id\":\"r-1\",\"status\":\"succeeded\",\"output\":{\"x\":1}}"));
    same(Map.of("x", 1), client.runs().run(RUN).output());
    same(
        List.of(
            "POST/v1/runs?wait=30000ms",
            "GET/v1/runs/r-1?wait=30000ms",
            "GET/v1/runs/r-1?wait=30000ms"),
        calls());
  }

  public void saysWhenTheTimeToWaitIsOver() throws Exception {
    var client =
        serve(
            exchange -> {
              Thread.sleep(30);
              json(200, run("running")).to(exchange);
            });
    var failure =
        fails(
            RunTimeoutException.class,
            () -> client.runs().await("r-1", Waiting.upTo(Duration.ofMillis(50))));
    same("running", failure.run().status().toString());
  }

  public void answersQuestions() throws Exception {
    var asks =
        "{\"id\":\"r-1\",\"status\":\"interrupted\",\"interrupts\":[{\"id\":\"i-1\",\"payload\":\"?\"}]}";
    var client = serve(json(200, asks), json(200, run("succeeded")), json(200, asks));
    var ended = client.runs().await("r-1", Waiting.forever().answering(it -> List.of(it.payload())));
    same("succeeded", ended.status().toString());
    same("{\"answers\":[{\"interrupt_id\":\"i-1\",\"value\":[\"?\"]}]}", last().body());
    var left = client.runs().await("r-1", Waiting.forever().answering(it -> Runs.LEAVE_OPEN));
    same("interrupted", left.status().toString());
    same(3, requests.size());
  }

  public void comesBackToABrokenStreamBehindTheLastStoredEvent() throws Exception {
    var half = frame(3, "run.succeeded").substring(0, 20);
    var text = frame(1, "run.created") + LIVE + frame(2, "superstep.committed") + half;
    var client =
        serve(
            stream(text, true),
            problem(503, "server_busy"),
            stream(frame(3, "run.succeeded").replace("\n", "\r\n"), false));
    same(
        List.of("run.created", "message.delta", "superstep.committed", "run.succeeded"),
        types(client.runs().stream("r-1")));
    same(Arrays.asList(null, "2", "2"), headers("Last-event-id"));
  }

  public void comesBackWhenTheServiceCutsAStreamAndEndsWhenNothingIsLeft() throws Exception {
    var cut = "event: stream.cut\ndata: {\"type\":\"stream.cut\",\"data\":{}}\n\n";
    var client =
        serve(
            stream(frame(1, "run.created") + "id: 7\n\n" + cut, false),
            exchange -> exchange.sendResponseHeaders(204, -1));
    same(List.of("run.created"), types(client.runs().stream("r-1", StreamOptions.of().behind(0))));
    same(List.of("0", "7"), headers("Last-event-id"));
  }

  public void givesAStreamUpThatBringsNothing() throws Exception {
    var client = serve(stream(":\n\n", false));
    var failure = fails(SuperstepException.class, () -> types(client.runs().stream("r-1")));
    check(failure.getMessage().contains("not at rest"));
    same(4, requests.size());
  }

  public void takesASilentStreamForBroken() throws Exception {
    var end = new CountDownLatch(1);
    var client =
        serve(
            exchange -> {
              write(exchange, 200, frame(1, "run.created"));
              end.await(20, TimeUnit.SECONDS);
            },
            stream(frame(2, "run.succeeded"), false));
    long begin = System.nanoTime();
    same(List.of("run.created", "run.succeeded"), types(client.runs().stream("r-1")));
    end.countDown();
    check(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(15));
  }

  public void startsOneRunAlthoughTheAnswerToTheFirstRequestIsLost() throws Exception {
    var client =
        serve(
            hangUp(),
            exchange -> {
              exchange.getResponseHeaders().set("Location", "/v1/runs/r-1");
              stream(frame(1, "run.created"), true).to(exchange);
            },
            stream(frame(2, "run.succeeded"), false));
    var events = client.runs().startStream(RUN, StreamOptions.of().ofTypes("a"));
    same(List.of("run.created", "run.succeeded"), types(events));
    same(
        List.of(
            "POST/v1/runs/stream?type=a",
            "POST/v1/runs/stream?type=a",
            "GET/v1/runs/r-1/stream?type=a"),
        calls());
    check(headers("Idempotency-key").get(0) != null);
    same(headers("Idempotency-key").get(0), headers("Idempotency-key").get(1));
  }

  public void endsByAnInterrupt() throws Exception {
    var client = serve(problem(503, "server_busy", "Retry-After", "30"));
    Thread.currentThread().interrupt();
    fails(SuperstepException.class, () -> client.runs().get("r-1"));
    check(Thread.interrupted());
  }

  public void goesThroughAllPartsOfAList() throws Exception {
    var client =
        serve(
            json(200, "{\"items\":[{\"id\":\"a\"}],\"next_cursor\":\"c\"}"),
            json(200, "{\"items\":[{\"id\":\"b\"}]}"));
    var found =
        Superstep.paginate(it -> client.runs().search(Runs.SearchOptions.of().withCursor(it)))
            .map(it -> it.id())
            .toList();
    same(List.of("a", "b"), found);
    same("GET/v1/runs?cursor=c", last().call());
  }

  /// A service that answers one request after the other so, the last way for ever.
  private Superstep serve(Answer... answers) throws IOException {
    var url =
        listen(exchange -> {
          var call = exchange.getRequestMethod() + exchange.getRequestURI();
          requests.add(new Request(call, Map.copyOf(exchange.getRequestHeaders()), body(exchange)));
          try {
            answers[Math.min(requests.size(), answers.length) - 1].to(exchange);
          } catch (InterruptedException e) {
            throw new IOException(e);
          } finally {
            exchange.close();
          }
        });
    return Superstep.connect(
        Settings.of(url, "k-1")
            .withRetries(3, Duration.ofMillis(1), Duration.ofMinutes(1))
            .withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(2)));
  }

  /// Closing an exchange without an answer closes its connection.
  private static Answer hangUp() {
    return HttpExchange::close;
  }

  private static Answer json(int status, String body) {
    return exchange -> send(exchange, status, body);
  }

  private static Answer problem(int status, String code, String... header) {
    return exchange -> {
      if (header.length > 0) {
        exchange.getResponseHeaders().set(header[0], header[1]);
      }
      json(status, "{\"status\":%d,\"code\":\"%s\",\"detail\":\"d\"}".formatted(status, code))
          .to(exchange);
    };
  }

  private static void write(HttpExchange exchange, int status, String text) throws IOException {
    exchange.sendResponseHeaders(status, 0);
    exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
    exchange.getResponseBody().flush();
  }

  /// A broken one promises more than it sends.
  private static Answer stream(String text, boolean broken) {
    return exchange -> {
      if (broken) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length + 100);
        exchange.getResponseBody().write(bytes);
        exchange.getResponseBody().flush();
      } else {
        write(exchange, 200, text);
      }
    };
  }

  private static String frame(int seq, String type) {
    return "id: %1$d\nevent: %2$s\ndata: {\"seq\":%1$d,\"type\":\"%2$s\",\"run_id\":\"r-1\"}\n\n"
        .formatted(seq, type);
  }

  private static String run(String status) {
    return "{\"id\":\"r-1\",\"status\":\"%s\",\"interrupts\":[]}".formatted(status);
  }

  private static List<String> types(Iterable<RunEvent> events) {
    var types = new ArrayList<String>();
    events.forEach(it -> types.add(it.type()));
    return types;
  }

  private Request last() {
    return requests.get(requests.size() - 1);
  }

  private List<String> calls() {
    return requests.stream().map(Request::call).toList();
  }

  private List<String> headers(String name) {
    return Stream.of(requests.toArray(Request[]::new)).map(it -> it.header(name)).toList();
  }

  private static <T> T fails(Class<T> type, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      if (type.isInstance(e)) {
        return type.cast(e);
      }
      throw e;
    }
    throw new AssertionError("nothing failed");
  }
}
