package dev.superstep.testing;

import dev.superstep.definition.read.TestCase;
import dev.superstep.definition.read.TestReport.TestFailure;
import dev.superstep.definition.read.TestedGraph;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// The run of one test of a definition, from its input until it is at rest.
final class GraphTestRun implements TestObserver, People {
  private final TestedGraph graph;
  private final TestCase test;
  private final Ledger ledger;
  private final TestBudget budget;
  private final ScriptedAnswers answers;

  GraphTestRun(TestedGraph graph, TestCase test, Ledger ledger, TestBudget budget) {
    this.graph = graph;
    this.test = test;
    this.ledger = ledger;
    this.budget = budget;
    this.answers = new ScriptedAnswers(test);
  }

  /// How a test has ended.
  sealed interface End {

    /// @param superstep the last one that was committed
    record AtRest(RunStatus status, Optional<RunError> error, ObjectValue state, int superstep)
        implements End {}

    /// The run tells nothing.
    record Broken(TestFailure failure) implements End {}
  }

  End run() throws InterruptedException {
    var clock = new VirtualClock(VirtualClock.BEGIN);
    return switch (VirtualRun.begin(graph, test.begin(), answers, this, clock)) {
      case VirtualRun.StartResult.RefusedRun(var pointer, var message) ->
          new End.Broken(TestFailure.of(test.pointer() + pointer, message));
      case VirtualRun.StartResult.Ready(var run) -> drive(run);
    };
  }

  private End drive(VirtualRun run) throws InterruptedException {
    try {
      var status = run.drive(this);
      var last = run.last();
      return new End.AtRest(status, run.head().error(), last.state().channels(), last.superstep());
    } catch (TestStoppedException e) {
      return new End.Broken(
          answers
              .missing()
              .orElseGet(() -> TestFailure.of(test.pointer(), String.valueOf(e.getMessage()))));
    } catch (BadAnswerException e) {
      return new End.Broken(e.failure);
    }
  }

  @Override
  public void called(NodeCall call) {
    budget.call();
    ledger.note(call);
  }

  @Override
  public void check() {
    budget.check();
    answers
        .missing()
        .ifPresent(it -> {
          throw new TestStoppedException(it.message());
        });
  }

  @Override
  public Optional<Value> answer(MemoryStore.OpenInterrupt question) {
    return answers.person(question.task().node().value());
  }

  @Override
  public RuntimeException refused(
      MemoryStore.OpenInterrupt question, Value answer, String problem) {
    return new BadAnswerException(
        new TestFailure(
            Pointer.child(test.pointer() + "/answers", question.task().node().value()),
            problem,
            Optional.of(question.task().superstep()),
            Optional.empty(),
            Optional.of(answer)));
  }

  @Override
  public Unanswered unanswered() {
    return Unanswered.EXPIRES;
  }

  /// An answer that the API would refuse.
  private static final class BadAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient TestFailure failure;

    BadAnswerException(TestFailure failure) {
      super(failure.message(), null, false, false);
      this.failure = failure;
    }
  }
}
