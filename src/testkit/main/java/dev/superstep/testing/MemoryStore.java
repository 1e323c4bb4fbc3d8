package dev.superstep.testing;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.Interrupt;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// Keeps the last checkpoint of one run, the steps of its tasks, and the answers to its questions.
/// It has one driver at a time, on one thread, so that nothing is fenced.
public final class MemoryStore implements CheckpointStore {
  private final RunHeader header;
  private final InstantSource clock;
  private final TestObserver watch;
  private final Map<TaskKey, TaskRecord> recorded = new LinkedHashMap<>();
  private final Map<String, NavigableMap<Integer, StepRecord>> steps = new ConcurrentHashMap<>();
  private final Map<String, Given> answers = new LinkedHashMap<>();
  private final Set<String> expired = new HashSet<>();
  private Checkpoint last;
  private RunHead head =
      new RunHead(
          RunStatus.RUNNING,
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          RunHead.Passed.NONE,
          Duration.ZERO);
  private int claims;

  private record Given(int superstep, Value value) {}

  /// A question that has no answer yet.
  public record OpenInterrupt(TaskKey task, Interrupt interrupt) {}

  /// @param first checkpoint of the run
  MemoryStore(RunHeader header, Checkpoint first, InstantSource clock, TestObserver watch) {
    this.header = header;
    this.last = first;
    this.clock = clock;
    this.watch = watch;
  }

  @Override
  public CommitResult commit(Lease lease, List<Commit> commits) {
    commits.forEach(this::commit);
    return new CommitResult.Committed(commits.getLast().continuedAt().orElse(clock.instant()));
  }

  private void commit(Commit commit) {
    watch.check();
    commit.checkpoint().ifPresent(this::write);
    head = commit.head();
    watch.committed(commit);
  }

  private void write(Commit.Write write) {
    var after = write.after();
    var stamp =
        new Checkpoint.Stamp(
            after.number(), after.stamp().kind(), after.superstep(), clock.instant());
    last =
        new Checkpoint(
            stamp, after.state(), after.context(), after.pending(), after.held(), after.edits());
    if (stamp.kind() == CheckpointKind.HELD) {
      write.delta().tasks().forEach(it -> recorded.remove(it.key()));
    } else {
      recorded.clear();
    }
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    watch.check();
    records.forEach(it -> recorded.put(it.key(), it));
  }

  @Override
  public StepPage steps(Lease lease, String task, int from) {
    var known = steps.getOrDefault(task, new TreeMap<>()).tailMap(from).values();
    return new StepPage(List.copyOf(known), false);
  }

  @Override
  public boolean record(Lease lease, StepWrite write) {
    watch.check();
    var known = steps.computeIfAbsent(write.task(), _ -> new ConcurrentSkipListMap<>());
    write.records().forEach(it -> known.put(it.ordinal(), it));
    return true;
  }

  /// Nobody answers it: nodes that are tested are.
  @Override
  public OpenCallback openCallback(Lease lease, CallbackWrite callback) {
    var request = callback.request();
    return OpenCallback.of(callback.birthId(), callback.task(), 1, callback.era())
        .at(request.address(), clock.instant().plus(request.deadline()));
  }

  @Override
  public RunSignals signals(Lease lease) {
    int open = last.superstep() + 1;
    var given = new ArrayList<RunSignals.Answer>();
    answers.forEach((id, it) -> {
      if (it.superstep() == open) {
        given.add(new RunSignals.Answer(id, it.value()));
      }
    });
    return new RunSignals(given, List.of(), List.of(), answers.size(), false);
  }

  @Override
  public RunSignals expire(Lease lease, List<String> interrupts) {
    expired.addAll(interrupts);
    return signals(lease);
  }

  /// Claims the run.
  LoadedRun claim() {
    claims++;
    var lease = new Lease(header.id(), claims);
    var checkpoint = last.with(recorded.values());
    return new LoadedRun(
        header, lease, checkpoint, Limits.NONE, Breakpoints.NONE, head, signals(lease), -1);
  }

  private Map<TaskKey, TaskRecord> held() {
    var held = new HashMap<>(last.held());
    held.putAll(recorded);
    return held;
  }

  /// The questions that wait for an answer, in task order.
  List<OpenInterrupt> open() {
    var open = new ArrayList<OpenInterrupt>();
    held()
        .values()
        .forEach(it -> {
          if (it.status() instanceof TaskStatus.Interrupted(var interrupt)
              && !answers.containsKey(interrupt.id())
              && !expired.contains(interrupt.id())) {
            open.add(new OpenInterrupt(it.key(), interrupt));
          }
        });
    if (open.size() > 1) {
      var places = places();
      open.sort(Comparator.comparingInt(it -> places.getOrDefault(it.task(), places.size())));
    }
    return open;
  }

  /// Pending activations stand in task order.
  private Map<TaskKey, Integer> places() {
    var places = new HashMap<TaskKey, Integer>();
    for (var activation : last.pending().activations()) {
      var dispatch = activation instanceof Activation.Sent(var sent) ? sent.id() : null;
      places.putIfAbsent(
          new TaskKey(last.superstep() + 1, activation.node(), dispatch), places.size());
    }
    return places;
  }

  void answer(OpenInterrupt open, Value value) {
    answers.put(open.interrupt().id(), new Given(open.task().superstep(), value));
  }

  /// Goes on behind the breakpoint at which the run stands.
  void pass(RunHead.Breakpoint breakpoint) {
    head =
        new RunHead(
            RunStatus.RUNNING,
            head.superstep(),
            head.error(),
            Optional.empty(),
            head.wakesAt(),
            new RunHead.Passed(last.superstep(), true, breakpoint.when().equals("before")),
            head.elapsed());
  }

  RunHead head() {
    return head;
  }

  Checkpoint last() {
    return last;
  }
}
