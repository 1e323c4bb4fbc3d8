package dev.superstep.testing.kit;

import dev.superstep.definition.Compiled;
import dev.superstep.definition.read.TestCase;
import dev.superstep.definition.read.TestedGraph;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.node.PlainData;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.testing.MemoryStore;
import dev.superstep.testing.People;
import dev.superstep.testing.VirtualClock;
import dev.superstep.testing.VirtualRun;
import dev.superstep.testing.VirtualRun.StartResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run of a [SuperstepTest], at rest: it is over, or waits for an answer. For one thread.
public final class TestRun {
  private final TestedGraph graph;
  private final ScenarioAnswers answers;
  private final RunRecorder recorder;
  private final VirtualClock clock;
  private final VirtualRun run;

  private TestRun(
      TestedGraph graph,
      ScenarioAnswers answers,
      RunRecorder recorder,
      VirtualClock clock,
      VirtualRun run) {
    this.graph = graph;
    this.answers = answers;
    this.recorder = recorder;
    this.clock = clock;
    this.run = run;
  }

  static TestRun of(TestedGraph graph, TestCase.TestInput begin, Scenario scenario) {
    var answers = new ScenarioAnswers(scenario);
    var clock = new VirtualClock(scenario.begin());
    var recorder = new RunRecorder(graph.plan().program().graph(), answers);
    return switch (VirtualRun.begin(graph, begin, answers, recorder, clock)) {
      case StartResult.RefusedRun(var pointer, var message) ->
          throw new IllegalArgumentException("%s: %s".formatted(pointer, message));
      case StartResult.Ready(var run) -> {
        recorder.started(run.last());
        var testRun = new TestRun(graph, answers, recorder, clock, run);
        testRun.drive(new Visitors(answers));
        yield testRun;
      }
    };
  }

  private void drive(Visitors people) {
    uninterrupted(() -> run.drive(people));
  }

  /// What may be interrupted.
  private interface RunStep {
    void take() throws InterruptedException;
  }

  private static void uninterrupted(RunStep step) {
    try {
      step.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
  }

  public RunStatus status() {
    return run.head().status();
  }

  /// Why it has failed.
  public Optional<RunError> error() {
    return run.head().error();
  }

  /// The state after the last committed superstep.
  public GraphState state() {
    return run.last().state();
  }

  /// What the run results in, by the graph's `output`.
  public ObjectValue output() {
    return Compiled.output(graph.plan().outputChannels(), state().channels());
  }

  /// The supersteps that were committed, from 1.
  public List<TestSuperstep> supersteps() {
    return recorder.supersteps();
  }

  /// The nodes of each committed superstep.
  public List<List<String>> path() {
    return supersteps().stream().map(TestSuperstep::nodes).toList();
  }

  /// All dispatches that were sent, by edges of `__start__`, too.
  public List<Dispatch> dispatches() {
    return recorder.dispatches();
  }

  /// How often a node was called. Attempts that are repeated count, continuing after an answer does
  /// not.
  public int calls(String node) {
    return recorder.calls(node);
  }

  /// What a node has sent models, call by call: the messages of each prompt.
  public List<List<ObjectValue>> prompts(String node) {
    return answers.prompts(node);
  }

  /// The stored events.
  public List<Event> events() {
    return recorder.events();
  }

  /// The questions that wait for an answer, in task order.
  public List<Question> interrupts() {
    return run.questions().stream().map(Question::of).toList();
  }

  /// The time of the run.
  public Instant now() {
    return clock.instant();
  }

  /// Answers the first open question, and runs on.
  ///
  /// @param answer plain data
  /// @return this run
  /// @throws IllegalStateException if no question is open
  /// @throws IllegalArgumentException if the answer does not satisfy the question's schema
  public TestRun resume(@Nullable Object answer) {
    return resume(run.questions().stream().findFirst(), "the run", answer);
  }

  /// Answers the first open question of a node, and runs on; see [#resume(Object)].
  public TestRun resume(String node, @Nullable Object answer) {
    var open =
        run.questions().stream().filter(it -> it.task().node().value().equals(node)).findFirst();
    return resume(open, "node '%s'".formatted(node), answer);
  }

  private TestRun resume(
      Optional<MemoryStore.OpenInterrupt> question, String asked, @Nullable Object answer) {
    var open =
        question.orElseThrow(() ->
            new IllegalStateException(
                "%s asks nothing; the run is %s, and open are %s"
                    .formatted(asked, status(), interrupts())));
    drive(new Visitors(answers).with(open, PlainData.toValue(answer)));
    return this;
  }

  /// Lets time pass, with all that becomes due meanwhile: questions expire.
  ///
  /// @return this run
  public TestRun pass(Duration time) {
    uninterrupted(() -> run.pass(time, new Visitors(answers)));
    return this;
  }

  @Override
  public String toString() {
    return "%s after %d supersteps %s%s"
        .formatted(
            status(),
            supersteps().size(),
            path(),
            error().map(it -> ": " + it.error().message()).orElse(""));
  }

  /// Those who answer the questions of a test's run: by what the test has prepared, or now.
  private static final class Visitors implements People {
    private final ScenarioAnswers prepared;
    private final Map<String, Value> now = new HashMap<>();

    Visitors(ScenarioAnswers prepared) {
      this.prepared = prepared;
    }

    /// Answers this question, once.
    Visitors with(MemoryStore.OpenInterrupt question, Value answer) {
      now.put(question.interrupt().id(), answer);
      return this;
    }

    @Override
    public Optional<Value> answer(MemoryStore.OpenInterrupt question) {
      return Optional.ofNullable(now.remove(question.interrupt().id()))
          .or(() -> prepared.person(question.task().node().value()));
    }

    @Override
    public RuntimeException refused(
        MemoryStore.OpenInterrupt question, Value answer, String problem) {
      return new IllegalArgumentException(
          "node '%s': %s".formatted(question.task().node().value(), problem));
    }

    @Override
    public Unanswered unanswered() {
      return Unanswered.STAYS;
    }
  }
}
