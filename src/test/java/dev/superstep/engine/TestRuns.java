package dev.superstep.engine;

import dev.superstep.context.ContextEdit;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.StateHash;
import dev.superstep.state.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Runs in memory, driven by the test: as a replica, and as the people who call its API.
final class TestRuns {
  final AtomicReference<Duration> skipped = new AtomicReference<>(Duration.ZERO);
  final InstantSource clock = () -> Instant.now().plus(skipped.get());
  final InMemoryCheckpointStore store = new InMemoryCheckpointStore(clock);
  final EngineLimits limits;
  private int started;

  TestRuns() {
    this(EngineLimits.DEFAULT);
  }

  TestRuns(EngineLimits limits) {
    this.limits = limits;
  }

  static TestRun of(TestGraph graph) {
    return new TestRuns().start(graph.program(), ObjectValue.empty());
  }

  static TestRun of(TestGraph graph, ObjectValue input) {
    return new TestRuns().start(graph.program(), input);
  }

  TestRun start(Program program, ObjectValue input) {
    return start(program, input, RunStart.Origin.NOTHING);
  }

  TestRun start(Program program, ObjectValue input, RunStart.Origin origin) {
    var header = new RunHeader("run-" + started++, "graph", 1, 0, ObjectValue.empty());
    var begin = new RunStart(program, limits, clock).begin(header, input, origin);
    if (!(begin instanceof Prepared.Ready(var write))) {
      throw new IllegalArgumentException(begin.toString());
    }
    store.start(
        header,
        write,
        new Head(
            RunStatus.QUEUED,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Head.Passed.NONE,
            Duration.ZERO));
    return new TestRun(header, program);
  }

  /// Lets time pass for everything that looks at the clock.
  void pass(Duration time) {
    skipped.updateAndGet(it -> it.plus(time));
  }

  final class TestRun {
    final RunHeader header;
    volatile LocalInbox inbox = new LocalInbox(clock);
    Program program;
    RunObserver observer = RunObserver.NONE;

    TestRun(RunHeader header, Program program) {
      this.header = header;
      this.program = program;
    }

    TestRuns runs() {
      return TestRuns.this;
    }

    RunStatus drive() {
      return drive(store);
    }

    RunStatus drive(CheckpointStore through) {
      inbox = new LocalInbox(clock);
      var ports = new Ports(through, new VirtualTaskPool(1000), clock, () -> 0.5, observer);
      try {
        return new SuperstepLoop(ports, limits).drive(program, store.claim(header.id()), inbox);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    RunStatus answer(Value value) {
      return answer(openInterrupts().getFirst(), value);
    }

    RunStatus answer(String interrupt, Value value) {
      if (!store.answer(header.id(), interrupt, value)) {
        throw new IllegalStateException("not open: " + interrupt);
      }
      return drive();
    }

    /// What a resume call does: releases failed tasks, passes a breakpoint.
    RunStatus resume() {
      store.release(header.id());
      store.pass(header.id());
      return drive();
    }

    RunStatus resume(Limits raised) {
      store.limit(header.id(), raised, Breakpoints.NONE);
      return resume();
    }

    void edit(Change change) {
      var edit = new StateEdit(program, header, limits, clock);
      if (edit.update(last(), change) instanceof Prepared.Ready(var write)) {
        store.update(header.id(), write);
      }
    }

    Prepared edit(ContextEdit context) {
      var edited =
          new StateEdit(program, header, limits, clock)
              .update(last(), Change.NONE, context, List.of());
      if (edited instanceof Prepared.Ready(var write)) {
        store.update(header.id(), write);
      }
      return edited;
    }

    List<String> openInterrupts() {
      return store.interrupts(header.id()).entrySet().stream()
          .filter(it -> it.getValue().status().equals("open"))
          .sorted(Comparator.comparing(it -> it.getValue().interrupt().reason()))
          .map(Map.Entry::getKey)
          .toList();
    }

    Checkpoint last() {
      return store.checkpoints(header.id()).getLast().after();
    }

    List<CheckpointKind> kinds() {
      return store.checkpoints(header.id()).stream().map(it -> it.after().stamp().kind()).toList();
    }

    Head head() {
      return store.head(header.id());
    }

    String errorCode() {
      return head().error().map(it -> it.error().code()).orElse("none");
    }

    Value state(String channel) {
      return last().state().channels().getOr(channel, Value.NULL);
    }

    String hash() {
      return StateHash.of(last().state());
    }

    List<String> events() {
      return store.events(header.id()).stream().map(it -> it.event().type()).toList();
    }
  }
}
