package dev.superstep.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.node.AgentScope.MemoryState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What an agent finds of its calls that were made before.
class AgentScopeTests extends StepRuns {

  private TestRun twice(Code code) {
    return start(
        it -> it.attempts(2, Duration.ofMillis(1)),
        (call, steps) -> {
          var result = code.run(call, steps);
          if (call.attempt() == 1) {
            throw NodeException.retryable("later", "of the first attempt");
          }
          return result;
        });
  }

  private String ask(String request) throws Exception {
    var call = AgentScope.current().orElseThrow().begin(model("gpt", request));
    return text(call.made(() -> Value.of(called(request))));
  }

  private static AgentRequest model(String name, String text) {
    return new AgentRequest(name, text, 0, 0, OptionalLong.empty());
  }

  private static Value driven(TestRun run) {
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    return run.state("out");
  }

  private static String failed(TestRun run) {
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    return run.errorCode();
  }

  private static String text(Value value) {
    return ((Value.Text) value).value();
  }

  @Test
  void makesNoRecordedCallAgain() throws Exception {
    var run = twice((_, _) -> out(List.of(ask("a"), ask("b"), ask("a"))));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "b", "a");
    assertThat(((ListValue) run.state("out")).stream().map(AgentScopeTests::text))
        .containsExactly("a 1", "b 2", "a 3");
  }

  @Test
  void findsCallsOfThreadsInAnyOrder() throws Exception {
    var run =
        twice((call, _) -> {
          var items = new ArrayList<>(List.of("a", "b", "c", "d"));
          try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return out(together(threads, call.attempt() == 1 ? items : items.reversed()));
          }
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(((ListValue) run.state("out")).stream().map(it -> text(it).substring(0, 1)))
        .containsExactly("d", "c", "b", "a");
  }

  @Test
  void tellsCalleesApartWhoseNamesAreLong() throws Exception {
    var name = "anthropic.claude-3-5-sonnet-2024";
    var run =
        twice((call, _) -> {
          var scope = AgentScope.current().orElseThrow();
          var asked = scope.begin(model(name + call.attempt(), "the same"));
          return out(text(asked.made(() -> Value.of(called("model")))));
        });

    assertThat(failed(run)).isEqualTo("step_mismatch");
    assertThat(calls).containsExactly("model");
  }

  @Test
  void makesAFailedCallOfAThreadAgain() throws Exception {
    var run =
        start(
            it -> it.attempts(2, Duration.ofMillis(1)),
            (call, _) -> {
              try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var failing =
                    threads.submit(() -> {
                      if (call.attempt() == 1) {
                        var scope = AgentScope.current().orElseThrow();
                        var _ =
                            scope
                                .begin(model("gpt", "a"))
                                .made(() -> {
                                  throw NodeException.retryable("busy", "wait");
                                });
                      }
                      return ask("a");
                    });
                Throwable failure = null;
                try {
                  failing.get();
                } catch (ExecutionException e) {
                  failure = e.getCause();
                }
                var _ = threads.submit(() -> ask("b")).get();
                if (failure instanceof Exception e) {
                  throw e;
                }
              }
              return out("done");
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactlyInAnyOrder("b", "a");
  }

  @Test
  void refusesStepsWithinACall() throws Exception {
    var run =
        twice((_, steps) -> {
          var tool = AgentScope.current().orElseThrow().begin("t", "{}");
          return out(text(tool.made(() -> Value.of(steps.run("a", String.class, () -> "b")))));
        });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
  }

  private List<String> together(ExecutorService threads, List<String> items) throws Exception {
    var asked = new ArrayList<Future<String>>();
    for (var item : items) {
      asked.add(threads.submit(() -> ask(item)));
    }
    var answers = new ArrayList<String>();
    for (var it : asked) {
      answers.add(it.get());
    }
    return answers;
  }

  @Test
  void leavesThreadsOfPoolsAlone() throws Exception {
    var begun = new CountDownLatch(1);
    try (var pool = Executors.newFixedThreadPool(1)) {
      var run =
          start((_, _) -> {
            begun.countDown();
            return out(pool.submit(() -> AgentScope.current().isPresent()).get());
          });
      assertThat(driven(run)).isEqualTo(Value.of(false));
    }
    assertThat(AgentScope.current()).isEmpty();
  }

  @Test
  void refusesAnotherCallWhereOneIsRecorded() throws Exception {
    var run =
        twice((call, _) -> {
          var first = ask(call.attempt() == 1 ? "old prompt" : "new prompt");
          return out(List.of(first, ask("then")));
        });

    assertThat(failed(run)).isEqualTo("step_mismatch");
    assertThat(calls).containsExactly("old prompt", "then");
  }

  @Test
  void refusesRecordedCallsThatAreNotMade() throws Exception {
    var run =
        twice((call, _) -> {
          var first = ask("a");
          return out(call.attempt() == 1 ? ask("b") : first);
        });

    assertThat(failed(run)).isEqualTo("step_mismatch");
    assertThat(calls).containsExactly("a", "b");
  }

  @Test
  void recordsWhatToolsCall() throws Exception {
    var run =
        twice((call, _) -> {
          var tool = AgentScope.current().orElseThrow().begin("sub", "{}");
          var result =
              tool.made(() -> {
                var inner = ask("inner");
                if (call.attempt() == 1) {
                  throw NodeException.retryable("broken", "in the tool");
                }
                return Value.of(inner + ", " + called("rest"));
              });
          return out(text(result));
        });

    assertThat(text(driven(run))).isEqualTo("inner 1, rest 2");
    assertThat(calls).containsExactly("inner", "rest");
  }

  @Test
  void takesCallsWithinAStepAsPartsOfIt() throws Exception {
    var run =
        twice((_, steps) ->
            out(
                steps.run(
                    "ask",
                    String.class,
                    () -> AgentScope.current().isPresent() ? "in a scope" : called("plain"))));

    assertThat(text(driven(run))).isEqualTo("plain 1");
  }

  @Test
  void keepsACaughtFailure() throws Exception {
    var run =
        twice((_, _) -> {
          String told;
          try {
            var _ =
                AgentScope.current()
                    .orElseThrow()
                    .begin("t", "x")
                    .made(() -> {
                      throw new IllegalStateException(called("no"));
                    });
            told = "none";
          } catch (IllegalStateException | StepException e) {
            told = String.valueOf(e.getMessage());
          }
          return out(List.of(told, ask(told)));
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("no", "no 1");
  }

  @Test
  void rewindsMemories() throws Exception {
    var memory = new ArrayList<>(List.of("hello"));
    var run =
        twice((_, _) -> {
          rewind("1", memory);
          memory.add("question");
          return out(ask(String.join(" ", memory)));
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("hello question");
    assertThat(memory).containsExactly("hello", "question");
  }

  /// Workflows make memories with other ids each time.
  @Test
  void knowsMemoriesOfRandomIdsByTheirOrder() throws Exception {
    var kept = new ArrayList<>(List.of("kept"));
    var run =
        twice((_, _) -> {
          var made = new ArrayList<>(List.of("new"));
          rewind(UUID.randomUUID().toString(), made);
          rewind("1", kept);
          rewind(UUID.randomUUID().toString(), new ArrayList<>(List.of("another")));
          made.add(ask(made + " " + kept));
          kept.add("more");
          return out(made.toString());
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("[new] [kept]");
  }

  private static void rewind(String id, List<String> memory) {
    AgentScope.current()
        .orElseThrow()
        .rewind(
            "memory",
            id,
            new MemoryState() {
              @Override
              public Value read() {
                return Value.of(String.join(" ", memory));
              }

              @Override
              public void write(Value state) {
                memory.clear();
                memory.add(text(state));
              }
            });
  }

  @Test
  void countsTokensOnce() throws Exception {
    var run =
        twice((_, _) -> {
          var call = AgentScope.current().orElseThrow().begin(model("gpt", "a"));
          var answer = call.made(() -> Value.of("b"));
          call.spent("gpt", new Usage(3, 4));
          return out(text(answer));
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    var spent = TaskRecord.spending(run.last().pending().spent(), run.last().held().values());
    assertThat(spent.total().calls()).isOne();
    assertThat(spent.total().totalTokens()).isEqualTo(7);
  }
}
