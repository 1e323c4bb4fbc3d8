package dev.superstep.engine;

import dev.superstep.context.ContextEdit;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.StateHash;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Runs in memory, driven by the test: as a replica, and as the people who call its API.
public final class TestRuns {
  final AtomicReference<Duration> skipped = new AtomicReference<>(Duration.ZERO);
  public final InstantSource clock = () -> Instant.now().plus(skipped.get());
  public final InMemoryCheckpointStore store = new InMemoryCheckpointStore(clock);
  public final EngineLimits limits;
  private int started;

  public TestRuns() {
    this(EngineLimits.DEFAULT);
  }

  public TestRuns(EngineLimits limits) {
    this.limits = limits;
  }

  public static TestRun of(TestGraph graph) {
    return new TestRuns().start(graph.program(), ObjectValue.empty());
  }

  public static TestRun of(TestGraph graph, ObjectValue input) {
    return new TestRuns().start(graph.program(), input);
  }

  public TestRun start(Program program, ObjectValue input) {
    return start(program, input, RunStart.StartState.NOTHING);
  }

  public TestRun start(Program program, ObjectValue input, RunStart.StartState origin) {
    var header = TestRunHeader.of("run-" + started++, "graph", 1, 0, ObjectValue.empty());
    var begin = new RunStart(program, limits, clock).begin(header, input, origin);
    if (!(begin instanceof PreparedCheckpoint.Ready(var write))) {
      throw new IllegalArgumentException(begin.toString());
    }
    store.start(
        header,
        write,
        new RunHead(
            RunStatus.QUEUED,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RunHead.Passed.NONE,
            Duration.ZERO));
    return new TestRun(header, program);
  }

  /// Lets time pass for everything that looks at the clock.
  public void pass(Duration time) {
    skipped.updateAndGet(it -> it.plus(time));
  }

  public final class TestRun {
    public final RunHeader header;
    public volatile LocalInbox inbox = new LocalInbox(clock);
    public Program program;
    public RunObserver observer = RunObserver.NONE;

    TestRun(RunHeader header, Program program) {
      this.header = header;
      this.program = program;
    }

    public TestRuns runs() {
      return TestRuns.this;
    }

    public RunStatus drive() {
      return drive(store);
    }

    public RunStatus drive(CheckpointStore through) {
      inbox = new LocalInbox(clock);
      var ports = TestPorts.of(through, TestPorts.pool(1000), clock).observer(observer).ports();
      try {
        return new SuperstepLoop(ports, limits).drive(program, store.claim(header.id()), inbox);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    public RunStatus answer(Value value) {
      return answer(openInterrupts().getFirst(), value);
    }

    RunStatus answer(String interrupt, Value value) {
      if (!store.answer(header.id(), interrupt, value)) {
        throw new IllegalStateException("not open: " + interrupt);
      }
      return drive();
    }

    /// What a resume call does: releases failed tasks, passes a breakpoint.
    public RunStatus resume() {
      store.release(header.id());
      store.pass(header.id());
      return drive();
    }

    public RunStatus resume(Limits raised) {
      store.limit(header.id(), raised, Breakpoints.NONE);
      return resume();
    }

    public void edit(Change change) {
      var edit = new StateEdit(program, header, limits, clock);
      if (edit.update(last(), change) instanceof PreparedCheckpoint.Ready(var write)) {
        store.update(header.id(), write);
      }
    }

    public PreparedCheckpoint edit(ContextEdit context) {
      var edited =
          new StateEdit(program, header, limits, clock)
              .update(last(), Change.NONE, context, List.of());
      if (edited instanceof PreparedCheckpoint.Ready(var write)) {
        store.update(header.id(), write);
      }
      return edited;
    }

    public List<String> openInterrupts() {
      return store.interrupts(header.id()).entrySet().stream()
          .filter(it -> it.getValue().status().equals("open"))
          .sorted(Comparator.comparing(it -> it.getValue().interrupt().reason()))
          .map(Map.Entry::getKey)
          .toList();
    }

    public Checkpoint last() {
      return store.checkpoints(header.id()).getLast().after();
    }

    public List<CheckpointKind> kinds() {
      return store.checkpoints(header.id()).stream().map(it -> it.after().stamp().kind()).toList();
    }

    public RunHead head() {
      return store.head(header.id());
    }

    public String errorCode() {
      return head().error().map(it -> it.error().code()).orElse("none");
    }

    public Value state(String channel) {
      return last().state().channels().getOr(channel, Value.NULL);
    }

    public String hash() {
      return StateHash.of(last().state());
    }

    public List<String> events() {
      return store.events(header.id()).stream().map(it -> it.event().type()).toList();
    }
  }
}
