package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.onThread;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.RunActions.withId;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.ValueCheck.Mismatch;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@RunTest
class RunStartTests {
  @Autowired private RunActions on;
  @Autowired private DatabaseClock clock;

  private String chain() {
    var name = fresh("chain");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "b"));
    return name;
  }

  /// E9, E13
  @Test
  void runsAGraphFromInputToSuccess() {
    var run = on.runs().start(request(chain(), ObjectValue.of("log", Value.of("in")))).run();

    var view = on.await(run, RunStatus.SUCCEEDED);

    assertThat(on.log(run)).containsExactly("in", "a", "b");
    assertThat(view.summary().standing().superstep()).isEqualTo(3);
    assertThat(on.events(run))
        .containsExactly(
            "run.created",
            "run.started",
            "superstep.committed",
            "superstep.committed",
            "run.succeeded");
  }

  @Test
  void saysEverythingThatIsWrongWithARequestAtOnceAndStoresNothing() {
    var name = fresh("picky");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .edge("__start__", "a")
                .input(_ -> List.of(new Mismatch("/topics", "is required"))));
    long before = on.count("run");
    var options =
        new StartRun.Options(
            new Limits(
                Optional.of(0),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(Duration.ofDays(1000))),
            new Breakpoints(Set.of("nowhere"), Set.of()),
            5000,
            Optional.empty());

    var refusal = refused(() -> on.runs().start(withId(with(request(name), options), "-")));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(refusal.errors())
        .extracting(FieldError::pointer)
        .containsExactlyInAnyOrder(
            "/id",
            "/limits/max_supersteps",
            "/limits/timeout",
            "/interrupt_before",
            "/priority",
            "/input/topics");
    assertThat(on.count("run")).isEqualTo(before);
  }

  /// E9, E20
  @Test
  void refusesInputThatAChannelCannotTake() {
    var input = ObjectValue.of("sum", Value.of("no number"));
    long before = on.count("run");

    var refusal = refused(() -> on.runs().start(request(chain(), input)));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_INPUT);
    assertThat(refusal.errors()).extracting(FieldError::pointer).containsExactly("/input/sum");
    assertThat(on.count("run")).isEqualTo(before);
  }

  @Test
  void refusesGraphsAndVersionsThatAreNotThere() {
    var name = chain();
    assertThat(refused(() -> on.start("no-such-graph")).code())
        .isEqualTo(ErrorCode.GRAPH_NOT_FOUND);
    var other =
        new StartRun(
            name,
            Optional.of(7),
            ObjectValue.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            java.util.Map.of(),
            StartRun.Options.DEFAULT);
    assertThat(refused(() -> on.runs().start(other)).code()).isEqualTo(ErrorCode.VERSION_NOT_FOUND);
  }

  /// I11
  @Test
  void startsOneRunForOneIdHoweverOftenItIsAsked() throws Exception {
    var request = withId(request(chain()), fresh("given"));

    var answers = atOnce(4, () -> on.runs().start(request));

    assertThat(answers)
        .extracting(RunService.Started::run)
        .containsOnly(request.id().orElseThrow());
    assertThat(answers).filteredOn(it -> !it.replayed()).hasSize(1);
  }

  @Test
  void refusesAnIdThatAnotherRequestHasTaken() {
    var request = withId(request(chain()), fresh("taken"));
    on.runs().start(request);

    var other = request(request.graph(), ObjectValue.of("log", Value.of("more")));

    assertThat(refused(() -> on.runs().start(withId(other, request.id().orElseThrow()))).code())
        .isEqualTo(ErrorCode.RUN_EXISTS);
  }

  @Test
  void startsFromWhatTheLastRunOfTheThreadHasLeft() {
    var name = chain();
    var thread = fresh("thread");
    var first = on.runs().start(onThread(request(name), thread)).run();
    on.await(first, RunStatus.SUCCEEDED);

    var input = ObjectValue.of("log", Value.of("again"));
    var second = on.runs().start(onThread(request(name, input), thread)).run();
    on.await(second, RunStatus.SUCCEEDED);

    assertThat(on.log(second)).containsExactly("a", "b", "again", "a", "b");
    assertThat(on.threads().summary(thread).lastRun().orElseThrow().id()).isEqualTo(second);
    assertThat(on.threads().thread(thread).state())
        .isEqualTo(on.queries().state(second, Optional.empty()).state());
  }

  @Test
  void letsOneRunAtATimeOntoAThread() throws Exception {
    var name = fresh("slow");
    var gate = new CountDownLatch(1);
    on.graphs()
        .add(
            graph(name)
                .node(
                    "a",
                    _ -> {
                      gate.await();
                      return TestGraphs.log("a");
                    })
                .edge("__start__", "a"));
    var thread = fresh("busy");

    var outcomes =
        atOnce(
            5,
            () -> {
              try {
                return on.runs().start(onThread(request(name), thread)).run();
              } catch (dev.superstep.problem.ServiceException e) {
                return e.code().code();
              }
            });
    gate.countDown();

    assertThat(outcomes).filteredOn("thread_busy"::equals).hasSize(4);
    var run = outcomes.stream().filter(it -> !it.equals("thread_busy")).findFirst().orElseThrow();
    on.await(run, RunStatus.SUCCEEDED);
  }

  @Test
  void beginsAtItsStartTime() {
    var at = clock.instant().plus(Duration.ofSeconds(2));
    var options = new StartRun.Options(Limits.NONE, Breakpoints.NONE, 0, Optional.of(at));
    var run = on.runs().start(with(request(chain()), options)).run();

    assertThat(on.queries().summary(run).times().wakesAt()).isPresent();
    var view = on.await(run, RunStatus.SUCCEEDED);

    assertThat(view.summary().times().startedAt().orElseThrow())
        .isAfterOrEqualTo(at.minusMillis(50));
  }

  private static <T> List<T> atOnce(int threads, Callable<T> call) throws Exception {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var futures = executor.invokeAll(Stream.generate(() -> call).limit(threads).toList());
      var results = new java.util.ArrayList<T>();
      for (var future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
