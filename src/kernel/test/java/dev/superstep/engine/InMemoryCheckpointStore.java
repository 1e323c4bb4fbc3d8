package dev.superstep.engine;

import dev.superstep.engine.StoredRun.StoredCheckpoint;
import dev.superstep.engine.StoredRun.StoredEvent;
import dev.superstep.engine.StoredRun.StoredInterrupt;
import dev.superstep.engine.StoredRun.StoredStep;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A checkpoint store that forgets everything with its process. It promises what
/// `CheckpointStoreContract` asks, as the one on PostgreSQL does; besides, it plays the API calls
/// that touch a run: start, claim, answer, resolve, resume, cancel.
public final class InMemoryCheckpointStore implements CheckpointStore {
  private final Map<String, StoredRun> runs = new HashMap<>();
  private final InstantSource clock;
  private final Fence fence;
  private final Set<String> awaited = new HashSet<>();
  private final Map<String, WorkerEnd> workerEnds = new HashMap<>();
  private int recordWrites;
  private int stepReads;
  private int stepWrites;

  /// Whether writes of drivers whose lease is over are refused. A store without a fence is there to
  /// show that tests would notice.
  enum Fence {
    KEPT,
    REMOVED
  }

  public InMemoryCheckpointStore(InstantSource clock) {
    this(clock, Fence.KEPT);
  }

  InMemoryCheckpointStore(InstantSource clock, Fence fence) {
    this.clock = clock;
    this.fence = fence;
  }

  @Override
  public synchronized CommitResult commit(Lease lease, List<Commit> commits) {
    var run = fenced(lease);
    if (fence == Fence.KEPT && run.last().number() != commits.getFirst().parent()) {
      throw new LeaseLostException(lease);
    }
    if (commits.size() > 1 && !commits.stream().allMatch(Commit::isPlain)) {
      throw new IllegalArgumentException("a commit that shares a write is not plain");
    }
    return refusal(run, commits.getLast()).orElseGet(() -> write(run, commits));
  }

  private static Optional<CommitResult> refusal(StoredRun run, Commit last) {
    if (run.cancelRequested && !passesCancel(last)) {
      return Optional.of(new CommitResult.CancelRequested());
    }
    if (isPause(last.head()) ? !run.pauses(last) : run.pauses(last) && !passesPause(last)) {
      return Optional.of(new CommitResult.PauseChanged());
    }
    return (isHold(last) || last.hasAsked() || last.head().status() == RunStatus.SUCCEEDED)
            && run.answers != last.answersSeen()
        ? Optional.of(new CommitResult.AnswersPending())
        : Optional.empty();
  }

  private CommitResult write(StoredRun run, List<Commit> commits) {
    var at = clock.instant();
    for (var commit : commits) {
      var before = run.last().stamp().at();
      var now = at.isBefore(before) ? before : at;
      at = commit.continuedAt().orElse(now);
      commit(run, commit, at);
    }
    return new CommitResult.Committed(at);
  }

  private static void commit(StoredRun run, Commit commit, Instant at) {
    commit.checkpoint().ifPresent(write -> write(run, write, at));
    run.runHead = commit.head();
    if (isPause(commit.head())) {
      run.pausesAt = RunSignals.NEVER;
    }
    run.append(commit.events(), at);
    if (commit.head().status() == RunStatus.CANCELLED) {
      run.close(Map.of(), "cancelled");
    }
  }

  private static void write(StoredRun run, Commit.Write write, Instant at) {
    run.write(write, at);
    run.open(write.delta().tasks());
    run.close(write.after().held(), "expired");
    if (write.after().stamp().kind() == CheckpointKind.HELD) {
      write.delta().tasks().forEach(it -> run.recorded.remove(it.key()));
    } else {
      run.recorded.clear();
    }
  }

  /// Only a run that has already succeeded, and one that is being cancelled, ignore a cancel.
  private static boolean passesCancel(Commit commit) {
    return switch (commit.head().status()) {
      case SUCCEEDED, CANCELLED -> true;
      case QUEUED, RUNNING, WAITING, INTERRUPTED, FAILED, CANCELLING -> false;
    };
  }

  /// What ends the run, or hands it back, does not have it go on.
  private static boolean passesPause(Commit commit) {
    return switch (commit.head().status()) {
      case SUCCEEDED, CANCELLED, FAILED, QUEUED -> true;
      case RUNNING -> commit.passesPause();
      case WAITING, INTERRUPTED, CANCELLING -> false;
    };
  }

  private static boolean isPause(RunHead head) {
    return head.breakpoint().filter(RunHead.Breakpoint::isPause).isPresent();
  }

  /// Whether the commit puts the run to rest, or to sleep, over answers it may not know.
  private static boolean isHold(Commit commit) {
    return commit
        .checkpoint()
        .map(it -> it.after().stamp().kind() == CheckpointKind.HELD)
        .orElse(
            switch (commit.head().status()) {
              case WAITING, INTERRUPTED, FAILED -> true;
              case QUEUED, RUNNING, SUCCEEDED, CANCELLED, CANCELLING -> false;
            });
  }

  @Override
  public synchronized void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    var run = fenced(lease);
    recordWrites++;
    records.forEach(it -> run.recorded.put(it.key(), it));
    run.open(records);
    run.append(events, clock.instant());
  }

  @Override
  public synchronized boolean isAwaited(Lease lease, String type) {
    return awaited.contains(type);
  }

  @Override
  public synchronized List<EndedWorker> workerEnds(Lease lease, Set<String> waiting) {
    var run = fenced(lease);
    return waiting.stream()
        .filter(it -> run.answers > 0 && workerEnds.containsKey(it))
        .map(it -> new EndedWorker(it, Objects.requireNonNull(workerEnds.get(it))))
        .toList();
  }

  /// A worker waits for tasks of this type.
  public synchronized void await(String type) {
    awaited.add(type);
  }

  /// A worker has ended a task.
  public synchronized void end(String run, String task, WorkerEnd end) {
    workerEnds.put(task, end);
    run(run).answers++;
  }

  @Override
  public synchronized StepPage steps(Lease lease, String task, int from) {
    stepReads++;
    var known = run(lease.run()).steps.getOrDefault(task, new TreeMap<>()).tailMap(from).values();
    // a page of two: whoever reads has to go on reading
    return new StepPage(known.stream().limit(2).map(StoredStep::record).toList(), known.size() > 2);
  }

  @Override
  public synchronized boolean record(Lease lease, StepWrite write) {
    stepWrites++;
    var run = fenced(lease);
    if (write.superstep() != run.last().superstep() + 1) {
      throw new LeaseLostException(lease);
    }
    var known = run.steps.computeIfAbsent(write.task(), _ -> new TreeMap<>());
    boolean all = true;
    for (var step : write.records()) {
      var before = known.get(step.ordinal());
      boolean own = before == null || before.attempt().equals(write.attempt());
      if (own) {
        known.put(step.ordinal(), new StoredStep(step, write.attempt()));
      }
      all &= own;
    }
    return all;
  }

  /// How often outcomes were recorded before a checkpoint.
  public synchronized int records() {
    return recordWrites;
  }

  /// How often steps were read.
  public synchronized int stepReads() {
    return stepReads;
  }

  /// How often steps were written.
  public synchronized int stepWrites() {
    return stepWrites;
  }

  @Override
  public synchronized RunSignals signals(Lease lease) {
    return fenced(lease).signals();
  }

  @Override
  public synchronized RunSignals expire(Lease lease, List<String> interrupts) {
    return close(lease, interrupts, "expired");
  }

  @Override
  public synchronized RunSignals cancel(Lease lease, List<String> interrupts) {
    return close(lease, interrupts, "cancelled");
  }

  private RunSignals close(Lease lease, List<String> interrupts, String how) {
    var run = fenced(lease);
    interrupts.forEach(id ->
        run.interrupts.computeIfPresent(
            id, (_, it) -> it.status().equals("open") ? it.closed(how) : it));
    return run.signals();
  }

  /// Sends a message to a run.
  ///
  /// @return false if the run has ended
  public synchronized boolean send(String id, InboxMessage message) {
    var run = run(id);
    var ended =
        switch (run.runHead.status()) {
          case SUCCEEDED, CANCELLED -> true;
          case QUEUED, RUNNING, WAITING, INTERRUPTED, FAILED, CANCELLING -> false;
        };
    if (!ended) {
      var numbered =
          new InboxMessage(
              run.messages.size() + 1,
              message.id(),
              message.channel(),
              message.value(),
              message.ifUntaken(),
              message.sentAt());
      run.messages.put(message.id(), new StoredRun.StoredMessage(numbered, new ArrayList<>(1)));
      run.answers++;
    }
    return !ended;
  }

  public synchronized List<StoredRun.StoredMessage> messages(String id) {
    return List.copyOf(run(id).messages.values());
  }

  /// Stores a new run with its first checkpoint, queued.
  public synchronized void start(RunHeader header, Commit.Write first, RunHead runHead) {
    var run = new StoredRun(header, runHead);
    run.write(first, clock.instant());
    runs.put(header.id(), run);
  }

  public synchronized void limit(String id, Limits limits, Breakpoints breakpoints) {
    var run = run(id);
    run.limits = limits;
    run.breakpoints = breakpoints;
  }

  /// Takes the run over, whoever has it.
  public synchronized LoadedRun claim(String id) {
    var run = run(id);
    run.epoch++;
    return run.image();
  }

  /// The run as it is, under the lease of its last claim.
  public synchronized LoadedRun image(String id) {
    return run(id).image();
  }

  /// @return false if the interrupt is not open
  public synchronized boolean answer(String id, String interrupt, Value value) {
    var run = run(id);
    var stored = run.interrupts.get(interrupt);
    if (stored == null || !stored.status().equals("open")) {
      return false;
    }
    run.interrupts.put(interrupt, stored.answered(value));
    run.answers++;
    return true;
  }

  public synchronized void resolve(String id, TaskKey task, Change change) {
    var run = run(id);
    run.resolutions.put(task, change);
    run.answers++;
  }

  /// Lets failed tasks run again.
  public synchronized void release(String id) {
    var run = run(id);
    run.releasedThrough = run.last().number();
  }

  /// Passes the breakpoint the run stands at.
  public synchronized void pass(String id) {
    var run = run(id);
    var runHead = run.runHead;
    run.runHead =
        new RunHead(
            runHead.status(),
            runHead.superstep(),
            runHead.error(),
            Optional.empty(),
            runHead.wakesAt(),
            passed(runHead, run.last().superstep()),
            runHead.elapsed());
  }

  private static RunHead.Passed passed(RunHead runHead, int superstep) {
    return runHead
        .breakpoint()
        .filter(it -> !it.isPause())
        .map(it -> new RunHead.Passed(superstep, true, it.when().equals("before")))
        .orElse(runHead.passed());
  }

  public synchronized void cancel(String id) {
    run(id).cancelRequested = true;
  }

  /// Has the run pause behind this superstep.
  public synchronized void pause(String id, int superstep) {
    run(id).pausesAt = superstep;
  }

  public synchronized boolean pauseRequested(String id) {
    return run(id).pausesAt != RunSignals.NEVER;
  }

  /// An edit of the state by an API call: a checkpoint of kind `update` on a run without an owner.
  public synchronized void update(String id, Commit.Write write) {
    run(id).write(write, clock.instant());
  }

  public synchronized RunHead head(String id) {
    return run(id).runHead;
  }

  public synchronized List<StoredCheckpoint> checkpoints(String id) {
    return List.copyOf(run(id).checkpoints);
  }

  public synchronized List<StoredEvent> events(String id) {
    return List.copyOf(run(id).events);
  }

  public synchronized Map<String, StoredInterrupt> interrupts(String id) {
    return Map.copyOf(run(id).interrupts);
  }

  /// Recorded outcomes that no checkpoint includes yet.
  public synchronized Map<TaskKey, TaskRecord> recorded(String id) {
    return Map.copyOf(run(id).recorded);
  }

  private StoredRun fenced(Lease lease) {
    return Optional.ofNullable(runs.get(lease.run()))
        .filter(it -> fence == Fence.REMOVED || it.epoch == lease.epoch())
        .orElseThrow(() -> new LeaseLostException(lease));
  }

  private StoredRun run(String id) {
    return Optional.ofNullable(runs.get(id))
        .orElseThrow(() -> new IllegalArgumentException("no run '%s'".formatted(id)));
  }
}
