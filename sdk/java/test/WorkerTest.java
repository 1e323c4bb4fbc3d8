import com.sun.net.httpserver.HttpExchange;
import dev.superstep.client.AccessDeniedException;
import dev.superstep.client.Settings;
import dev.superstep.client.Superstep;
import dev.superstep.client.TaskFailedException;
import dev.superstep.client.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What the worker of the Java client does with a service that misbehaves.
public class WorkerTest extends Tests {
  record Order(String orderId, int cents) {}

  record Receipt(String text) {}

  private static final int HANG_UP = -1;
  private static final int UNWANTED = 200;
  private static final int WANTED = 201;
  private static final String TASK =
      "{\"id\":\"k-%1$d\",\"token\":\"t-%1$d\",\"type\":\"work\",\"input\":%1$d,\"attempt\":1,"
          + "\"idempotency_key\":\"i-%1$d\",\"heartbeat_ms\":%2$d}";

  private final Map<String, List<String>> calls = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> tasks = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Integer> heartbeats = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Integer> outcomes = new ConcurrentLinkedQueue<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private volatile int claims = 200;

  public void givesTypedInputsToHandlersAndTakesWhatTheyReturn() {
    var worker =
        new Worker(1)
            .handle("charge", Order.class, (it, task) -> new Receipt(it + " " + task.attempt()))
            .handle("nothing", Map.class, (it, task) -> null);

    same(
        Map.of("text", "Order[orderId=a, cents=7] 1"),
        worker.test("charge", new Order("a", 7)).result());
    same(
        Map.of("text", "Order[orderId=b, cents=9] 1"),
        worker.test("charge", Map.of("order_id", "b", "cents", 9, "more", 1)).result());
    same("invalid_input", worker.test("charge", List.of(1)).error().code());
    same(Map.of(), worker.test("nothing", Map.of()).result());
  }

  public void saysHowAHandlerHasFailed() {
    var worker =
        new Worker(1)
            .handle("declines", Map.class, (it, task) -> {
              throw new TaskFailedException("declined", "no")
                  .retryableAfter(Duration.ofMillis(1500));
            })
            .handle("fails", Map.class, (it, task) -> {
              throw new IllegalStateException("x");
            });

    var declined = worker.test("declines", Map.of()).error();
    same(
        List.of("declined", "no", true, "1500ms"),
        List.of(declined.code(), declined.message(), declined.retryable(), declined.retryAfter()));
    var failed = worker.test("fails", Map.of()).error();
    same(
        List.of("node_failed", "java.lang.IllegalStateException: x", true),
        List.of(failed.code(), failed.message(), failed.retryable()));
  }

  public void claimsNoMoreThanItHasPlacesFor() throws Exception {
    IntStream.range(0, 9).forEach(it -> tasks.add(TASK.formatted(it, 30_000)));
    var now = new AtomicInteger();
    var most = new AtomicInteger();
    try (var worker = new Worker(3)) {
      worker.handle("work", Integer.class, (it, task) -> {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        gate.await();
        now.decrementAndGet();
        return it;
      });
      worker.start(serve());
      until(() -> now.get() == 3);
      Thread.sleep(100);
      same(List.of("type=work&max=3&wait=5s"), calls("claim"));
      gate.countDown();
      until(() -> calls("outcome").size() == 9);
      same(3, most.get());
    }
  }

  public void sendsAnOutcomeUntilItCounts() throws Exception {
    outcomes.addAll(List.of(503, HANG_UP, 204));
    working(30_000, () -> until(() -> calls("outcome").size() == 3));
    same(
        Collections.nCopies(3, "{\"result\":1,\"token\":\"t-1\"}"),
        calls("outcome").stream().map(WorkerTest::sorted).collect(Collectors.toList()));
  }

  public void leavesAnOutcomeThatIsRefused() throws Exception {
    tasks.add(TASK.formatted(0, 30_000));
    outcomes.addAll(List.of(409, 204));
    working(30_000, () -> until(() -> calls("outcome").size() == 2));
    check(calls("outcome").get(1).contains("t-1"));
  }

  public void failsATaskWhoseResultTheServiceDoesNotTake() throws Exception {
    outcomes.addAll(List.of(422, 204));
    working(30_000, () -> until(() -> calls("outcome").size() == 2));
    check(calls("outcome").get(1).contains("invalid_result"));
  }

  public void keepsTheLeaseAndTellsOfProgress() throws Exception {
    heartbeats.addAll(List.of(503, WANTED));
    tasks.add(TASK.formatted(1, 900));
    try (var worker = new Worker(1)) {
      worker.handle("work", Integer.class, (it, task) -> {
        task.progress(Map.of("percent", 40));
        gate.await();
        return it;
      });
      worker.start(serve());
      until(() -> calls("heartbeat").size() == 8);
      gate.countDown();
      until(() -> calls("outcome").size() == 1);
      check(calls("heartbeat").get(7).contains("{\"percent\":40}"));
    }
  }

  public void cancelsWhatNoRunWants() throws Exception {
    heartbeats.addAll(List.of(WANTED, UNWANTED));
    cancels(2);
  }

  public void cancelsWhatAnotherWorkerHas() throws Exception {
    heartbeats.add(409);
    cancels(1);
  }

  public void cancelsWhatItCouldNotKeep() throws Exception {
    heartbeats.add(503);
    cancels(2);
  }

  private void cancels(int heartbeats) throws Exception {
    tasks.add(TASK.formatted(1, 300));
    try (var worker = new Worker(1)) {
      worker.handle("work", Integer.class, (it, task) -> {
        try {
          gate.await();
        } finally {
          check(task.isCancelled());
          begun.countDown();
        }
        return it;
      });
      worker.start(serve());
      begun.await();
      worker.stop(Duration.ofSeconds(5));
    }
    same(List.of(), calls("outcome"));
    check(calls("heartbeat").size() >= heartbeats);
  }

  public void takesNoAbsentNumberForZero() {
    var worker = new Worker(1).handle("charge", Order.class, (it, task) -> it);
    same("invalid_input", worker.test("charge", Map.of("order_id", "a")).error().code());
  }

  public void sendsAnOutcomeWhateverAHandlerHasDoneToItsThread() throws Exception {
    tasks.add(TASK.formatted(1, 30_000));
    try (var worker = new Worker(1)) {
      worker
          .handle("work", Integer.class, (it, task) -> {
            Thread.currentThread().interrupt();
            return it;
          })
          .start(serve());
      until(() -> calls("outcome").size() == 1);
    }
  }

  public void saysWhatIsNoJson() {
    var deep = new java.util.ArrayList<Object>();
    deep.add(deep);
    var worker =
        new Worker(1)
            .handle("result", Map.class, (it, task) -> deep)
            .handle("progress", Map.class, (it, task) -> {
              task.progress(deep);
              return it;
            });
    same("invalid_result", worker.test("result", Map.of()).error().code());
    same("node_failed", worker.test("progress", Map.of()).error().code());
  }

  public void endsWhenTheServiceRefusesItsClaims() throws Exception {
    claims = 403;
    var client = serve();
    var worker = new Worker(1).handle("work", Integer.class, (it, task) -> it);
    try {
      worker.run(client);
      throw new AssertionError("it goes on");
    } catch (AccessDeniedException e) {
      same("c", e.code());
    }
  }

  public void endsWhatIsInHandBeforeItStops() throws Exception {
    IntStream.of(1, 2).forEach(it -> tasks.add(TASK.formatted(it, 30_000)));
    var worker =
        new Worker(1).handle("work", Integer.class, (it, task) -> {
          begun.countDown();
          Thread.sleep(200);
          return it;
        });
    worker.start(serve());
    begun.await();
    worker.stop(Duration.ofSeconds(20));
    same(1, calls("outcome").size());
    same(1, calls("claim").size());
    same(List.of(), calls("release"));
  }

  public void givesBackWhatIsNotDoneWhenTheGraceIsOver() throws Exception {
    tasks.add(TASK.formatted(1, 30_000));
    var worker =
        new Worker(1).handle("work", Integer.class, (it, task) -> {
          begun.countDown();
          gate.await();
          return it;
        });
    worker.start(serve());
    begun.await();
    worker.stop(Duration.ofMillis(50));
    same(List.of("{\"token\":\"t-1\"}"), calls("release"));
    same(List.of(), calls("outcome"));
  }

  private interface Check {
    void run() throws Exception;
  }

  private void working(int lease, Check check) throws Exception {
    tasks.add(TASK.formatted(1, lease));
    try (var worker = new Worker(1)) {
      worker.handle("work", Integer.class, (it, task) -> it).start(serve());
      check.run();
    }
  }

  private static String sorted(String body) {
    return body.startsWith("{\"token") ? "{\"result\":1,\"token\":\"t-1\"}" : body;
  }

  private List<String> calls(String name) {
    return calls.computeIfAbsent(name, it -> new CopyOnWriteArrayList<>());
  }

  /// Answers a heartbeat and an outcome as is said, the last way for ever.
  private Superstep serve() throws IOException {
    return Superstep.connect(
        Settings.of(listen(this::answer), "k-1")
            .withRetries(0, Duration.ofMillis(1), Duration.ofMinutes(1)));
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var name = path.substring(path.lastIndexOf('/') + 1);
    var body = body(exchange);
    if (name.equals("claim")) {
      var query = exchange.getRequestURI().getQuery();
      calls(name).add(query);
      int most = Integer.parseInt(query.replaceAll(".*max=(\\d+).*", "$1"));
      var items = claims == 200 ? "{\"items\":[%s]}".formatted(take(most)) : "{\"code\":\"c\"}";
      send(exchange, claims, items);
      return;
    }
    calls(name).add(body);
    var answers = name.equals("heartbeat") ? heartbeats : outcomes;
    Integer answer = answers.size() > 1 ? answers.poll() : answers.peek();
    int status = answer == null || name.equals("release") ? 204 : answer;
    if (status == HANG_UP) {
      exchange.close();
    } else if (name.equals("heartbeat") && status < 400) {
      send(exchange, 200, "{\"wanted\":%s}".formatted(status != UNWANTED));
    } else {
      send(exchange, status, status == 204 ? "" : "{\"code\":\"c\"}");
    }
  }

  private String take(int most) {
    var taken = new StringBuilder();
    for (int i = 0; i < most && !tasks.isEmpty(); i++) {
      taken.append(i == 0 ? "" : ",").append(tasks.poll());
    }
    if (taken.length() == 0) {
      java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
    }
    return taken.toString();
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    for (long end = System.nanoTime() + 10_000_000_000L; !condition.getAsBoolean(); ) {
      check(System.nanoTime() < end);
      Thread.sleep(10);
    }
  }
}
