package dev.superstep.testing;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphParams;
import dev.superstep.definition.read.TestCase;
import dev.superstep.definition.read.TestedGraph;
import dev.superstep.engine.Program;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.node.Slicing;
import dev.superstep.engine.node.TaskPool;
import dev.superstep.engine.node.Tracing;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.LeaseWatch;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violations;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Schemas;
import dev.superstep.state.GraphState;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/// One run in memory: the engine that runs graphs, on the calling thread, with a store that keeps
/// the last checkpoint, in time that passes only where something waits for it. For one thread.
public final class VirtualRun {
  private static final EngineLimits LIMITS = EngineLimits.DEFAULT;

  /// Runs an attempt on the thread of its driver, before it goes on.
  private static final TaskPool HERE =
      (_, attempt) -> {
        attempt.run();
        return () -> {};
      };

  private final Program program;
  private final VirtualClock clock;
  private final MemoryStore store;
  private final SuperstepLoop loop;

  private VirtualRun(Program program, VirtualClock clock, MemoryStore store) {
    this.program = program;
    this.clock = clock;
    this.store = store;
    this.loop =
        new SuperstepLoop(
            new Ports(
                store,
                HERE,
                clock,
                () -> 0.5,
                RunObserver.NONE,
                Slicing.NONE,
                Tracing.NONE,
                LeaseWatch.ALWAYS,
                ChildRuns.NONE),
            LIMITS);
  }

  /// How a run begins.
  public sealed interface StartResult {

    record Ready(VirtualRun run) implements StartResult {}

    /// The API would refuse it.
    ///
    /// @param pointer into what the run was to begin with: `/input/…`, `/params/…`
    record RefusedRun(String pointer, String message) implements StartResult {}
  }

  /// Commits the first checkpoint.
  public static StartResult begin(
      TestedGraph graph,
      TestCase.TestInput begin,
      TestAnswers answers,
      TestObserver watch,
      VirtualClock clock) {
    for (var wrong : graph.plan().inputCheck().check(begin.input())) {
      return new StartResult.RefusedRun("/input" + wrong.pointer(), wrong.message());
    }
    var violations = new Violations();
    var params = params(graph.plan().params(), begin.params(), violations.root().key("params"));
    for (var wrong : violations.errors()) {
      return new StartResult.RefusedRun(wrong.pointer(), wrong.message());
    }
    var header =
        new RunHeader(
            "test",
            BirthId.ofRun("test"),
            graph.name(),
            graph.version(),
            0,
            ObjectValue.empty(),
            params,
            Optional.empty());
    var program = new TestProgram(answers, watch).of(graph.plan().program());
    var context =
        program.graph().settings().keepsContext()
            ? Optional.of(graph.plan().context())
            : Optional.<PromptContext>empty();
    var origin = new RunStart.StartState(GraphState.of(begin.thread()), context);
    return switch (new RunStart(program, LIMITS, clock).begin(header, begin.input(), origin)) {
      case PreparedCheckpoint.Refused(var error) ->
          new StartResult.RefusedRun("/input", error.message());
      case PreparedCheckpoint.Ready(var write) ->
          new StartResult.Ready(
              new VirtualRun(program, clock, new MemoryStore(header, write.after(), clock, watch)));
    };
  }

  /// What the operator has set does not count: a test has one result on every server.
  private static ObjectValue params(GraphParams params, ObjectValue given, Location at) {
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

  /// Runs until it is over, or a question stays without an answer.
  public RunStatus drive(People people) throws InterruptedException {
    while (true) {
      var inbox = new VirtualInbox(clock, () -> answered(people));
      var status = loop.drive(program, store.claim(), inbox);
      if (!goesOn(status, people)) {
        return status;
      }
    }
  }

  /// Moves a run on that is not over: time passes, people answer.
  private boolean goesOn(RunStatus status, People people) {
    var breakpoint = store.head().breakpoint();
    return switch (status) {
      case WAITING, QUEUED -> passTime();
      case INTERRUPTED -> {
        if (breakpoint.isPresent()) {
          store.pass(breakpoint.get());
          yield true;
        }
        yield answered(people) || (people.unanswered() == People.Unanswered.EXPIRES && passTime());
      }
      case SUCCEEDED, FAILED, CANCELLED, CANCELLING, RUNNING -> false;
    };
  }

  private boolean passTime() {
    store.head().wakesAt().ifPresent(clock::advanceTo);
    return store.head().wakesAt().isPresent();
  }

  /// Lets time pass, with all that becomes due meanwhile.
  public void pass(Duration time, People people) throws InterruptedException {
    var then = clock.instant().plus(time);
    while (store.head().wakesAt().filter(it -> !it.isAfter(then)).isPresent()) {
      passTime();
      drive(people);
    }
    clock.advanceTo(then);
  }

  /// Gives the answers that people have.
  private boolean answered(People people) {
    boolean answered = false;
    for (var open : store.open()) {
      var answer = people.answer(open);
      if (answer.isPresent()) {
        for (var wrong : check(open).check(answer.get())) {
          throw people.refused(
              open,
              answer.get(),
              "the answer does not satisfy the question's schema: %s: %s"
                  .formatted(wrong.pointer(), wrong.message()));
        }
        store.answer(open, answer.get());
        answered = true;
      }
    }
    return answered;
  }

  private static ValueCheck check(MemoryStore.OpenInterrupt open) {
    return open.interrupt().schema().map(VirtualRun::compiled).orElse(ValueCheck.NONE);
  }

  private static ValueCheck compiled(Value schema) {
    try {
      return Schemas.compile(schema);
    } catch (InvalidSchemaException _) {
      return ValueCheck.NONE;
    }
  }

  /// The questions that wait for an answer, in task order.
  public List<MemoryStore.OpenInterrupt> questions() {
    return store.open();
  }

  public RunHead head() {
    return store.head();
  }

  public Checkpoint last() {
    return store.last();
  }

  /// The inbox of a driver that shares its thread with the attempts: when nothing is in it nothing
  /// runs, so that time may pass.
  private static final class VirtualInbox implements Inbox {
    private final Queue<Signal> signals = new ConcurrentLinkedQueue<>();
    private final VirtualClock clock;
    private final BooleanSupplier answering;

    /// @param answering answers open questions, if the test has answers; people are quicker than
    ///   time
    VirtualInbox(VirtualClock clock, BooleanSupplier answering) {
      this.clock = clock;
      this.answering = answering;
    }

    /// A side effect is stored at once: the attempt that waits for it may be on the thread that
    /// would take the signal.
    @Override
    public void put(Signal signal) {
      if (signal instanceof Signal.SideEffect sideEffect) {
        sideEffect.stored().run();
      }
      signals.add(signal);
    }

    @Override
    public Optional<Signal> poll() {
      return Optional.ofNullable(signals.poll());
    }

    @Override
    public Optional<Signal> take(Optional<Instant> until) {
      var signal = poll();
      if (signal.isPresent()) {
        return signal;
      }
      if (answering.getAsBoolean()) {
        return Optional.of(new Signal.Nudge());
      }
      clock.advanceTo(
          until.orElseThrow(() -> new IllegalStateException("nothing runs, and nothing is due")));
      return Optional.empty();
    }
  }
}
