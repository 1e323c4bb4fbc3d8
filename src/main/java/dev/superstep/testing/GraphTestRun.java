package dev.superstep.testing;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphParams;
import dev.superstep.definition.testing.TestCase;
import dev.superstep.definition.testing.TestReport.Failure;
import dev.superstep.definition.testing.TestedGraph;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.node.Tracing;
import dev.superstep.engine.port.Ports;
import dev.superstep.engine.port.Slicing;
import dev.superstep.engine.port.TaskPool;
import dev.superstep.engine.program.Program;
import dev.superstep.engine.run.Durability;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.LeaseWatch;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.json.schema.InvalidSchemaException;
import dev.superstep.json.schema.Schemas;
import dev.superstep.state.GraphState;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.violation.Location;
import dev.superstep.violation.Pointer;
import dev.superstep.violation.Violations;
import java.util.Optional;

/// The run of one test, from its input until it is at rest.
final class GraphTestRun {
  private static final EngineLimits LIMITS = EngineLimits.DEFAULT;

  /// Runs an attempt on the thread of its driver, before it goes on.
  private static final TaskPool HERE =
      (_, attempt) -> {
        attempt.run();
        return () -> {};
      };

  private final TestedGraph graph;
  private final TestCase test;
  private final ScriptedAnswers answers;
  private final VirtualClock clock = new VirtualClock();
  private final Program program;

  GraphTestRun(TestedGraph graph, TestCase test, Ledger ledger, TestBudget budget) {
    this.graph = graph;
    this.test = test;
    this.answers = new ScriptedAnswers(test);
    this.program = new TestProgram(test, answers, ledger, budget).of(graph.plan().program());
  }

  /// How a test has ended.
  sealed interface End {

    /// @param superstep the last one that was committed
    record AtRest(RunStatus status, Optional<RunError> error, ObjectValue state, int superstep)
        implements End {}

    /// The run tells nothing.
    record Broken(Failure failure) implements End {}
  }

  End run(TestBudget budget) throws InterruptedException {
    for (var wrong : graph.plan().inputCheck().check(test.begin().input())) {
      return broken("/input" + wrong.pointer(), wrong.message());
    }
    var violations = new Violations();
    var params = params(violations.root().key("params"));
    for (var wrong : violations.errors()) {
      return broken(wrong.pointer(), wrong.message());
    }
    var header =
        new RunHeader(
            "test",
            graph.name(),
            graph.version(),
            0,
            ObjectValue.empty(),
            params,
            Durability.SYNC,
            Optional.empty());
    return switch (begin(header)) {
      case PreparedCheckpoint.Refused(var error) -> broken("/input", error.message());
      case PreparedCheckpoint.Ready(var write) -> drive(header, write.after(), budget);
    };
  }

  /// What the operator has set does not count: a test has one result on every server.
  private ObjectValue params(Location at) {
    var given = test.begin().params();
    var params = graph.plan().params();
    params
        .declared()
        .forEach((name, it) -> {
          if (it.standard().isEmpty() && !given.has(name)) {
            at.key(name)
                .error(
                    Codes.MISSING_FIELD,
                    "param '%s' has no default: give it a value in the params of the test"
                        .formatted(name));
          }
        });
    return params.pin(given, new Unset(), at);
  }

  /// An operator who has set nothing.
  private record Unset() implements GraphParams.Operator {
    @Override
    public Optional<String> text(String param) {
      return Optional.empty();
    }

    @Override
    public String setting(String param) {
      return param;
    }
  }

  private End.Broken broken(String pointer, String message) {
    return new End.Broken(Failure.of(test.pointer() + pointer, message));
  }

  private PreparedCheckpoint begin(RunHeader header) {
    var context =
        program.graph().settings().keepsContext()
            ? Optional.of(graph.plan().context())
            : Optional.<PromptContext>empty();
    return new RunStart(program, LIMITS, clock)
        .begin(
            header,
            test.begin().input(),
            new RunStart.Origin(GraphState.of(test.begin().thread()), context));
  }

  private End drive(RunHeader header, Checkpoint first, TestBudget budget)
      throws InterruptedException {
    var store =
        new MemoryStore(
            header,
            first,
            clock,
            () -> {
              budget.check();
              answers
                  .missing()
                  .ifPresent(it -> {
                    throw new TestStoppedException(it.message());
                  });
            });
    try {
      return drive(store);
    } catch (TestStoppedException e) {
      return new End.Broken(
          answers
              .missing()
              .orElseGet(() -> Failure.of(test.pointer(), String.valueOf(e.getMessage()))));
    } catch (BadAnswerException e) {
      return new End.Broken(e.failure);
    }
  }

  private End drive(MemoryStore store) throws InterruptedException {
    var ports =
        new Ports(
            store,
            HERE,
            clock,
            () -> 0.5,
            RunObserver.NONE,
            Slicing.NONE,
            Tracing.NONE,
            LeaseWatch.ALWAYS,
            ChildRuns.NONE);
    var loop = new SuperstepLoop(ports, LIMITS);
    while (true) {
      var status = loop.drive(program, store.claim(), new VirtualInbox(clock, () -> answer(store)));
      if (!goesOn(status, store)) {
        var last = store.last();
        return new End.AtRest(
            status, store.head().error(), last.state().channels(), last.superstep());
      }
    }
  }

  /// Moves a run on that is not over: time passes, people answer.
  private boolean goesOn(RunStatus status, MemoryStore store) {
    var head = store.head();
    return switch (status) {
      case WAITING, QUEUED -> passTime(store);
      case INTERRUPTED -> {
        if (head.breakpoint().isPresent()) {
          store.pass(head.breakpoint().get());
          yield true;
        }
        yield answer(store) || passTime(store);
      }
      case SUCCEEDED, FAILED, CANCELLED, CANCELLING, RUNNING -> false;
    };
  }

  private boolean passTime(MemoryStore store) {
    store.head().wakesAt().ifPresent(clock::advanceTo);
    return store.head().wakesAt().isPresent();
  }

  /// Answers what the test has answers to.
  private boolean answer(MemoryStore store) {
    boolean answered = false;
    for (var open : store.open()) {
      var node = open.task().node().value();
      var answer = answers.person(node);
      if (answer.isPresent()) {
        var wrong =
            open.interrupt()
                .schema()
                .map(GraphTestRun::compiled)
                .orElse(ValueCheck.NONE)
                .check(answer.get());
        if (!wrong.isEmpty()) {
          throw new BadAnswerException(
              new Failure(
                  Pointer.child(test.pointer() + "/answers", node),
                  "the answer does not satisfy the question's schema: %s: %s"
                      .formatted(wrong.getFirst().pointer(), wrong.getFirst().message()),
                  Optional.of(open.task().superstep()),
                  Optional.empty(),
                  answer));
        }
        store.answer(open, answer.get());
        answered = true;
      }
    }
    return answered;
  }

  private static ValueCheck compiled(Value schema) {
    try {
      return Schemas.compile(schema);
    } catch (InvalidSchemaException _) {
      return ValueCheck.NONE;
    }
  }

  /// An answer that the API would refuse.
  private static final class BadAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Failure failure;

    BadAnswerException(Failure failure) {
      super(failure.message(), null, false, false);
      this.failure = failure;
    }
  }
}
