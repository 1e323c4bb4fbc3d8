import com.sun.net.httpserver.HttpExchange;
import dev.superstep.client.Settings;
import dev.superstep.client.Superstep;
import dev.superstep.client.TaskFailedException;
import dev.superstep.client.Worker;
import dev.superstep.client.WorkerTask;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What the Java client records of the steps of a task, and makes of what is recorded.
public class StepsTest extends Tests {
  record Receipt(String number) {}

  private static final String TASK =
      "{\"id\":\"k\",\"token\":\"t\",\"type\":\"work\",\"input\":1,\"attempt\":1,"
          + "\"idempotency_key\":\"i\",\"heartbeat_ms\":30000,\"repeated\":%s}";
  private static final String DONE =
      "{\"ordinal\":%d,\"name\":\"%s\",\"kind\":\"call\",\"status\":\"succeeded\",\"result\":%s}";

  private final List<String> recorded = new CopyOnWriteArrayList<>();
  private final List<String> posted = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile String outcome = "";
  private volatile int refusal;
  private volatile boolean claimed;

  public void recordsWhatACallReturnsBeforeItGoesOn() throws Exception {
    var keys = new CopyOnWriteArrayList<String>();
    attempt(task -> {
      var one =
          task.steps().run("one", Receipt.class, key -> {
            keys.add(key);
            return new Receipt("r");
          });
      task.steps().run("two", key -> keys.add(key));
      return one;
    });
    check(outcome.contains("\"result\":{\"number\":\"r\"}"));
    same(List.of("i-0", "i-1"), keys);
    same(2, posted.size());
    check(posted.get(0).contains("\"name\":\"one\""), posted.get(0).contains("{\"number\":\"r\"}"));
    check(posted.get(1).contains("\"ordinal\":1"), posted.get(1).contains("\"result\":true"));
  }

  public void returnsWhatIsRecordedAndMakesNoCallAgain() throws Exception {
    recorded.add(DONE.formatted(0, "one", "{\"number\":\"old\"}"));
    recorded.add(DONE.formatted(1, "two", "2"));
    attempt(task -> {
      var one = task.steps().run("one", Receipt.class, key -> new Receipt("new"));
      int two = task.steps().run("two", Integer.class, key -> 7);
      return one.number() + two + task.steps().run("three", Integer.class, key -> 3);
    });
    check(outcome.contains("\"result\":\"old23\""));
    same(1, posted.size());
  }

  public void keepsAFailureThatWasCaught() throws Exception {
    attempt(task -> {
      try {
        return task.steps().run("one", String.class, key -> {
          throw new TaskFailedException("no_card", "no");
        });
      } catch (TaskFailedException e) {
        return task.steps().run("two", String.class, key -> "cash");
      }
    });
    check(outcome.contains("\"result\":\"cash\""), posted.get(0).contains("no_card"));
  }

  public void makesAFailedCallAgainIfItWasNotCaught() throws Exception {
    attempt(task -> task.steps().run("one", String.class, key -> {
      throw new IllegalStateException("x");
    }));
    check(outcome.contains("node_failed"), posted.isEmpty());
  }

  public void makesACallOnceAtMost() throws Exception {
    attempt(task -> task.steps().once("one", Integer.class, key -> 1));
    same(2, posted.size());
    check(!posted.get(0).contains("result"), posted.get(1).contains("\"result\":1"));
  }

  public void doesNotMakeACallWhoseOutcomeNobodyKnows() throws Exception {
    recorded.add("{\"ordinal\":0,\"name\":\"one\",\"kind\":\"call\",\"status\":\"lost\"}");
    attempt(task -> task.steps().once("one", Integer.class, key -> 1));
    check(outcome.contains("unknown_outcome"), posted.isEmpty());
  }

  public void failsATaskWithOtherStepsWhateverItsHandlerDoes() throws Exception {
    recorded.add(DONE.formatted(0, "other", "1"));
    attempt(task -> {
      try {
        return task.steps().run("one", Integer.class, key -> 1);
      } catch (TaskFailedException e) {
        return 2;
      }
    });
    check(outcome.contains("step_mismatch"), outcome.contains("other"), outcome.contains("one"));
  }

  public void failsATaskThatDoesNotComeToAStep() throws Exception {
    recorded.add(DONE.formatted(0, "one", "1"));
    recorded.add(DONE.formatted(1, "two", "1"));
    attempt(task -> task.steps().run("one", Integer.class, key -> 1));
    check(outcome.contains("step_mismatch"), outcome.contains("two"));
  }

  public void asksAgainUntilAStepIsRecorded() throws Exception {
    refusal = 503;
    attempt(task -> task.steps().run("one", Integer.class, key -> 1));
    check(outcome.contains("\"result\":1"));
    same(2, posted.size());
  }

  public void isCancelledWhenAnotherWorkerHasTheTask() throws Exception {
    refusal = 409;
    var cancelled = new CountDownLatch(1);
    attempt(task -> {
      try {
        return task.steps().run("one", Integer.class, key -> 1);
      } finally {
        check(task.isCancelled());
        cancelled.countDown();
        ended.countDown();
      }
    });
    check(cancelled.getCount() == 0, outcome.isEmpty());
  }

  public void makesNoCallForATaskThatDoesNotCountAnyMore() throws Exception {
    refusal = 409;
    var calls = new CopyOnWriteArrayList<String>();
    attempt(task -> {
      try {
        return task.steps().run("one", Boolean.class, calls::add);
      } catch (TaskFailedException e) {
        return calls.add("failed");
      } finally {
        Thread.interrupted();
        try {
          task.steps().run("two", Boolean.class, calls::add);
        } finally {
          ended.countDown();
        }
      }
    });
    same(List.of("i-0"), calls);
  }

  public void givesItsTaskBackToSleepAndToAsk() throws Exception {
    attempt(task -> {
      try {
        task.steps().sleep("rest", Duration.ofMillis(1500));
        return 1;
      } finally {
        check(task.isCancelled());
        ended.countDown();
      }
    });
    check(posted.get(0).contains("\"sleep\":\"PT1.5S\""), outcome.isEmpty());
  }

  public void asksAndGoesOnWithTheAnswer() throws Exception {
    var slept = DONE.formatted(0, "rest", "\"2026-01-01T00:00:00Z\"").replace("call", "sleep");
    recorded.add(slept);
    Body body = task -> {
      task.steps().sleep("rest", Duration.ofMillis(1500));
      try {
        return task.steps().ask("sure", Integer.class, Map.of("payload", "?"));
      } finally {
        ended.countDown();
      }
    };
    attempt(body);
    check(posted.get(0).contains("\"ask\":{\"payload\":\"?\"}"), outcome.isEmpty());
    var answered = new StepsTest();
    answered.recorded.add(slept);
    answered.recorded.add(DONE.formatted(1, "sure", "7").replace("call", "ask"));
    answered.attempt(task -> {
      task.steps().sleep("rest", Duration.ofMillis(1500));
      return task.steps().ask("sure", Integer.class, Map.of("payload", "?"));
    });
    answered.server.stop(0);
    check(answered.outcome.contains("\"result\":7"), answered.posted.isEmpty());
  }

  public void answersQuestionsOfATestWithTheirDefault() {
    var worker =
        new Worker(1)
            .handle("work", Map.class, (input, task) -> {
              task.steps().sleep("rest", Duration.ofDays(3));
              return task.steps()
                  .ask("sure", Integer.class, Map.of("payload", "?", "default_answer", 7));
            });
    same(7, worker.test("work", Map.of()).result());
  }

  public void failsATaskWithAnotherKindOfStep() throws Exception {
    recorded.add(DONE.formatted(0, "one", "1").replace("call", "ask"));
    attempt(task -> task.steps().run("one", Integer.class, key -> 1));
    check(outcome.contains("step_mismatch"), outcome.contains("ask 'one'"));
  }

  public void recordsAStepWhateverItsCallHasDoneToItsThread() throws Exception {
    attempt(task -> task.steps().run("one", int.class, key -> {
      Thread.currentThread().interrupt();
      return 1;
    }));
    check(outcome.contains("\"result\":1"));
  }

  public void keepsAResultThatItCannotRead() throws Exception {
    attempt(task -> {
      try {
        return task.steps().once("one", Runnable.class, key -> () -> {});
      } catch (TaskFailedException e) {
        return task.steps().run("two", String.class, key -> "cash");
      }
    });
    check(posted.stream().noneMatch(it -> it.contains("\"error\"")));
  }

  public void makesStepsUnderNames() throws Exception {
    attempt(task -> task.steps().run("no name", Integer.class, key -> 1));
    check(outcome.contains("no name"), posted.isEmpty());
  }

  public void makesStepsWithoutAService() {
    var worker =
        new Worker(1)
            .handle("work", Map.class, (input, task) ->
                task.steps().once("one", Receipt.class, key -> new Receipt("r")));
    same(Map.of("number", "r"), worker.test("work", Map.of()).result());
  }

  private interface Body {
    Object run(WorkerTask task) throws Exception;
  }

  /// Over the recorded steps.
  private void attempt(Body body) throws Exception {
    var worker = new Worker(1).handle("work", Integer.class, (input, task) -> body.run(task));
    worker.start(serve());
    check(ended.await(10, TimeUnit.SECONDS));
    worker.stop(Duration.ofSeconds(1));
  }

  private Superstep serve() throws IOException {
    return Superstep.connect(
        Settings.of(listen(this::answer), "k-1")
            .withRetries(0, Duration.ofMillis(1), Duration.ofMinutes(1)));
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var body = body(exchange);
    if (path.endsWith("/claim")) {
      java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
      send(exchange, 200, "{\"items\":[%s]}".formatted(
          claimed ? "" : TASK.formatted(!recorded.isEmpty())));
      claimed = true;
    } else if (path.endsWith("/steps") && body.contains("\"step\"")) {
      posted.add(body);
      int status = refusal;
      refusal = status == 503 ? 0 : status;
      send(exchange, status == 0 ? 200 : status, status == 0 ? recorded(body) : "{\"code\":\"c\"}");
    } else if (path.endsWith("/steps")) {
      int from = Integer.parseInt(body.replaceAll(".*\"from\":(\\d+).*", "$1"));
      boolean more = from + 1 < recorded.size();
      send(exchange, 200, "{\"items\":[%s],\"more\":%s}".formatted(recorded.get(from), more));
    } else {
      send(exchange, 204, "");
      if (path.endsWith("/outcome")) {
        outcome = body;
        ended.countDown();
      }
    }
  }

  private static String recorded(String body) {
    var step = body.replaceAll("^.*\"step\":\\{(.*)\\}(,\"token\":\"t\")?\\}$", "$1");
    var kind = step.contains("\"sleep\"") ? "sleep" : step.contains("\"ask\"") ? "ask" : "call";
    var status =
        step.contains("\"error\"") ? "failed" : step.contains("\"result\"") ? "succeeded" : "begun";
    return "{\"items\":[{%s,\"kind\":\"%s\",\"status\":\"%s\"}],\"more\":false}"
        .formatted(step, kind, kind.equals("call") ? status : "waiting");
  }
}
