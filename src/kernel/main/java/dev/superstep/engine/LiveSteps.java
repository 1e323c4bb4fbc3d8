package dev.superstep.engine;

import dev.superstep.engine.DriverContext.StepRepetition;
import dev.superstep.engine.checkpoint.AskingStep;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.CheckpointStore.StepWrite;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseWatch;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The steps of a running attempt. Its threads write them themselves, fenced by the lease of the
/// run; what an earlier attempt has recorded is read, page by page, only if there may be any.
final class LiveSteps implements StepJournal {
  /// What is kept of a larger failure is its code, and the beginning of its message.
  private static final int ERROR_MAX = 65_536;

  private static final int MESSAGE_MAX = 1_000;

  private final CheckpointStore store;
  private final Lease lease;
  private final int superstep;
  private final TaskKey key;
  private final int generation;
  private final int era;
  private final BirthId birthId;
  private final String task;
  private final StoreAccess access;
  private final Share share = WorkPermits.share();
  private final Optional<RetryState.StepAnswer> answer;
  private final long resultBytesMax;

  /// Tells its own records from those of an attempt that was given up, and went on for a while.
  private final UUID attempt = UUID.randomUUID();

  /// Read, and not reached by the code yet.
  private final Deque<StepRecord> recorded = new ArrayDeque<>();

  private final LiveCalls calls = new LiveCalls();
  private final Lock callsRead = new ReentrantLock();
  private volatile boolean callsKnown;

  private boolean readAll;

  /// Whether another attempt has recorded steps meanwhile.
  private volatile boolean overtaken;

  /// The place of the next step.
  private int next;

  private long bytes;

  /// Known, and to be recorded with the step behind them.
  private final List<StepRecord> unwritten = new ArrayList<>();

  LiveSteps(
      SuperstepContext superstepContext,
      TaskKey key,
      RetryState.StepHistory history,
      StepRepetition repetition,
      StoreAccess access,
      DriverContext driver) {
    this.store = driver.ports().store();
    this.lease = driver.lease();
    this.access = access;
    this.superstep = key.superstep();
    this.key = key;
    var at = superstepContext.at();
    this.generation = history.generation() + at.edits();
    this.era = at.stamp().era();
    this.birthId = superstepContext.run().birthId();
    this.task = birthId.idempotencyKey(key, generation, era);
    this.answer = history.answer();
    this.readAll = repetition == StepRepetition.NONE;
    this.callsKnown = readAll;
    this.resultBytesMax = driver.limits().resultBytesMax();
  }

  @Override
  public List<JournaledStep> begin(String name, StepKind kind, int count)
      throws InterruptedException {
    if (count > COUNT_MAX - next) {
      throw tooMany();
    }
    var steps = new ArrayList<JournaledStep>(count);
    boolean anew = false;
    for (int i = 0; i < count; i++) {
      var end = knownEnd(name, kind);
      anew |= end.isEmpty();
      steps.add(new JournaledStep(next++, name, kind, end));
    }
    return anew ? start(steps) : steps;
  }

  private Optional<StepEnd> knownEnd(String name, StepKind kind) throws InterruptedException {
    read(next);
    var first = recorded.peekFirst();
    // A place is passed over only by a call that was in flight beside others of its name.
    if (first != null && !first.isOf(name, kind)) {
      throw mismatch(first.ordinal(), first.name(), name);
    }
    if (first != null && first.ordinal() == next) {
      recorded.removeFirst();
      fits(size(first.end()));
      return first.end().or(() -> Optional.of(unknownOutcome(name)));
    }
    return kind == StepKind.ASK ? answered(name) : Optional.empty();
  }

  /// Reads the next page if it is due.
  private void read(int from) throws InterruptedException {
    if (recorded.isEmpty() && (!readAll || overtaken)) {
      overtaken = false;
      var page = access.get(() -> store.steps(lease, task, from));
      var named = new ArrayList<StepRecord>();
      page.records().forEach(it -> (it.kind().isNamed() ? named : recorded).add(it));
      calls.add(named);
      callsKnown |= !page.more();
      readAll = !page.more() || !named.isEmpty();
    }
  }

  @Override
  public JournaledStep call(String name, StepKind kind) throws InterruptedException {
    readCalls();
    var step = calls.begin(name, kind);
    if (step.end().isEmpty()) {
      return start(List.of(step)).getFirst();
    }
    fits(size(step.end()));
    return step;
  }

  private void readCalls() throws InterruptedException {
    if (!callsKnown) {
      callsRead.lockInterruptibly();
      try {
        if (!callsKnown) {
          readCallsBehind(COUNT_MAX);
          callsKnown = true;
        }
      } finally {
        callsRead.unlock();
      }
    }
  }

  private void readCallsBehind(int place) throws InterruptedException {
    boolean more = true;
    for (int from = place; more; ) {
      int first = from;
      var page = access.get(() -> store.steps(lease, task, first));
      calls.add(page.records());
      more = page.more();
      from = more ? page.records().getLast().ordinal() + 1 : from;
    }
  }

  private Optional<StepEnd> answered(String name) {
    var step = answer().filter(it -> it.ordinal() == next);
    if (step.isEmpty()) {
      return Optional.empty();
    }
    if (!step.get().name().equals(name)) {
      throw mismatch(next, step.get().name(), name);
    }
    recordLater(step.get());
    return step.get().end();
  }

  @Override
  public Optional<StepRecord> answer() {
    return answer
        .filter(it -> it.step().generation() == generation)
        .map(it ->
            new StepRecord(
                it.step().ordinal(),
                it.step().name(),
                StepKind.ASK,
                Optional.of(new StepEnd.StepResult(it.answer()))));
  }

  @Override
  public String key() {
    return task;
  }

  /// What is to be made now must not be made by two owners of the run, nor before what it depends
  /// on is on disk.
  private List<JournaledStep> start(List<JournaledStep> steps) throws InterruptedException {
    // Code beside the thread of the node does not say what has become of others' failures.
    var kind = steps.getFirst().kind();
    var records =
        kind == StepKind.SIDE || kind == StepKind.INNER ? List.<StepRecord>of() : takeUnwritten();
    boolean once = steps.getFirst().kind() == StepKind.ONCE;
    access.awaitLease();
    if (!records.isEmpty() && !write(records)) {
      throw overtaken();
    }
    return once ? startOnce(steps) : steps;
  }

  private List<JournaledStep> startOnce(List<JournaledStep> steps) throws InterruptedException {
    var started = new ArrayList<JournaledStep>(steps.size());
    for (var step : steps) {
      boolean known = step.end().isPresent();
      started.add(
          known || write(List.of(recordOf(step, Optional.empty())))
              ? step
              : new JournaledStep(
                  step.ordinal(), step.name(), step.kind(), Optional.of(recordedEnd(step))));
    }
    return started;
  }

  @Override
  public StepEnd end(JournaledStep step, StepEnd end) throws InterruptedException {
    access.requireOpen();
    if (end instanceof StepEnd.StepFailure(var error)) {
      return failed(step, bounded(error));
    }
    long size = size(Optional.of(end));
    return record(step, size <= resultBytesMax && fits(size) ? end : tooLarge());
  }

  private StepEnd failed(JournaledStep step, TaskError error) throws InterruptedException {
    var end = new StepEnd.StepFailure(error);
    if (step.kind() == StepKind.ONCE) {
      return record(step, end.forGood());
    }
    if (!fits(size(Optional.of(end)))) {
      return record(step, tooLarge());
    }
    if (step.kind() == StepKind.SIDE || step.kind() == StepKind.INNER) {
      return end;
    }
    recordLater(step.kind().isNamed() ? calls.place(step, end) : recordOf(step, Optional.of(end)));
    return end;
  }

  private static TaskError bounded(TaskError error) {
    if (error.message().length() + Canonical.size(error.details()) <= ERROR_MAX) {
      return error;
    }
    var text = error.message();
    int end = Math.min(text.length(), MESSAGE_MAX);
    boolean split = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
    var cut = text.substring(0, split ? end - 1 : end);
    return new TaskError(
        error.code(), cut, error.retryable(), error.retryAfter(), ObjectValue.empty());
  }

  /// The call has been made, and is not to be made again for that.
  private StepEnd tooLarge() {
    return new StepEnd.StepFailure(
        TaskError.permanent(
            "result_too_large",
            "the result of a step may have %d bytes, those of all steps of a task %d"
                .formatted(resultBytesMax, RESULTS * resultBytesMax)));
  }

  private synchronized boolean fits(long more) {
    bytes += more;
    return bytes <= RESULTS * resultBytesMax;
  }

  private StepEnd record(JournaledStep step, StepEnd end) throws InterruptedException {
    if (step.kind().isNamed()) {
      return recordCall(step, end);
    }
    return write(List.of(recordOf(step, Optional.of(end)))) ? end : recordedEnd(step);
  }

  /// Another attempt may have taken the place meanwhile, perhaps for the same call.
  private StepEnd recordCall(JournaledStep step, StepEnd end) throws InterruptedException {
    var placed = calls.place(step, end);
    while (!write(List.of(placed))) {
      readCallsBehind(placed.ordinal());
      var known = calls.take(step.name());
      if (known.isPresent()) {
        return known.get();
      }
      placed = calls.place(step, end);
    }
    calls.written(placed);
    return end;
  }

  @Override
  public String idempotencyKey(JournaledStep step) {
    var what = step.kind().isNamed() ? "call" : "step";
    return birthId.part(
        key, "%s/%d/%d/%s".formatted(what, generation, step.ordinal(), step.name()), era);
  }

  @Override
  public synchronized Outcome.Interrupted ask(JournaledStep step, InterruptRequest question) {
    unwritten.removeIf(it -> it.ordinal() == step.ordinal());
    return new Outcome.Interrupted(
        question, Optional.of(new AskingStep(step.ordinal(), step.name(), generation)));
  }

  /// What another attempt has recorded meanwhile.
  private StepEnd recordedEnd(JournaledStep step) throws InterruptedException {
    overtaken = true;
    var first =
        access.get(() -> store.steps(lease, task, step.ordinal())).records().stream()
            .filter(it -> it.ordinal() == step.ordinal())
            .findFirst()
            .orElseThrow(LiveSteps::overtaken);
    if (!first.isOf(step.name(), step.kind())) {
      throw mismatch(step.ordinal(), first.name(), step.name());
    }
    return first.end().orElseGet(() -> unknownOutcome(step.name()));
  }

  private synchronized void recordLater(StepRecord record) {
    unwritten.add(record);
  }

  private synchronized List<StepRecord> takeUnwritten() {
    var taken = List.copyOf(unwritten);
    unwritten.clear();
    return taken;
  }

  private boolean write(List<StepRecord> records) throws InterruptedException {
    return access.get(
        () -> store.record(lease, new StepWrite(superstep, task, attempt, share, records)));
  }

  @Override
  public void finish() throws InterruptedException {
    read(next);
    var left = recorded.peekFirst();
    if (left != null) {
      throw mismatch(left.ordinal(), left.name(), null);
    }
    readCalls();
    calls.requireNoneLeft();
    var records = takeUnwritten();
    if (!records.isEmpty() && !write(records)) {
      throw overtaken();
    }
  }

  private static StepRecord recordOf(JournaledStep step, Optional<StepEnd> end) {
    return new StepRecord(step.ordinal(), step.name(), step.kind(), end);
  }

  private static long size(Optional<StepEnd> end) {
    return switch (end.orElse(null)) {
      case null -> 0;
      case StepEnd.StepResult(var result) -> Canonical.size(result);
      case StepEnd.StepFailure(var error) ->
          error.message().length() + Canonical.size(error.details());
    };
  }

  private static StepEnd unknownOutcome(String name) {
    return new StepEnd.StepFailure(
        TaskError.permanent(
                "unknown_outcome",
                "step '%s' was begun, and what became of it is not known; it may be made once only"
                    .formatted(name))
            .with("step", Value.of(name)));
  }

  private static TaskFailedException tooMany() {
    return TaskFailedException.permanent(
        "too_many_steps", "a task has %d steps at most".formatted(COUNT_MAX));
  }

  private static TaskFailedException overtaken() {
    return new TaskFailedException(
        TaskError.retryable(
            "node_interrupted", "an attempt that was given up has recorded steps meanwhile"));
  }

  /// @param found null: none
  private static TaskFailedException mismatch(int ordinal, String known, @Nullable String found) {
    var error =
        TaskError.permanent(
                "step_mismatch",
                "step %d of the task is recorded as '%s', and the code %s"
                    .formatted(
                        ordinal + 1,
                        known,
                        found == null ? "ends before it" : "begins '%s' there".formatted(found)))
            .with("ordinal", Value.of(ordinal))
            .with("recorded", Value.of(known));
    return new TaskFailedException(found == null ? error : error.with("found", Value.of(found)));
  }

  /// The steps of a running attempt that are known by their names. Their places, behind those of
  /// all others, are in the order in which they have ended. Safe for use by several threads.
  private static final class LiveCalls {
    /// By place: recorded, and not reached by the code yet.
    private final SortedMap<Integer, StepRecord> left = new TreeMap<>();

    /// How many of each name were begun.
    private final Map<String, Integer> begun = new HashMap<>();

    /// Places of which is known what they hold; one that is given, and not written yet, is none.
    private final Set<Integer> known = new HashSet<>();

    private int count;
    private int next = COUNT_MAX;

    /// Adds what is recorded.
    synchronized void add(List<StepRecord> records) {
      for (var record : records) {
        if (known.add(record.ordinal())) {
          left.put(record.ordinal(), record);
          next = Math.max(next, record.ordinal() + 1);
        }
      }
    }

    /// @throws TaskFailedException with `step_mismatch` if the thread of the node, which makes one
    ///   call behind the other, has made another one there before
    synchronized JournaledStep begin(String name, StepKind kind) {
      if (count == COUNT_MAX) {
        throw tooMany();
      }
      count++;
      var end = take(name);
      if (end.isEmpty() && kind == StepKind.CALL) {
        left.values().stream()
            .filter(it -> it.kind() == StepKind.CALL)
            .findFirst()
            .ifPresent(it -> {
              throw otherThan(it, name);
            });
      }
      int place = begun.merge(name, 1, Integer::sum) - 1;
      return new JournaledStep(place, name, kind, end);
    }

    /// How the next call of this name has ended.
    synchronized Optional<StepEnd> take(String name) {
      var found = left.values().stream().filter(it -> it.name().equals(name)).findFirst();
      return found.flatMap(it -> {
        left.remove(it.ordinal());
        return it.end();
      });
    }

    /// Gives the step a place.
    synchronized StepRecord place(JournaledStep step, StepEnd end) {
      return new StepRecord(next++, step.name(), step.kind(), Optional.of(end));
    }

    /// It is on disk there.
    synchronized void written(StepRecord record) {
      known.add(record.ordinal());
      left.remove(record.ordinal());
    }

    /// @throws TaskFailedException with `step_mismatch`
    synchronized void requireNoneLeft() {
      for (var record : left.values()) {
        if (record.kind() != StepKind.INNER) {
          throw otherThan(record, null);
        }
      }
    }

    private static TaskFailedException otherThan(StepRecord record, @Nullable String found) {
      return mismatch(record.ordinal() - COUNT_MAX, record.name(), found);
    }
  }

  /// Has threads of an attempt write themselves. Waiting for the disk is no time of the node. What
  /// goes wrong there is no outcome of the node either: its driver ends.
  static final class StoreAccess {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Inbox inbox;
    private final LeaseWatch.Term term;
    private final WaitedTime waitedTime;
    private volatile boolean closed;

    StoreAccess(DriverContext driver, WaitedTime waitedTime) {
      this.inbox = driver.inbox();
      this.term = driver.term();
      this.waitedTime = waitedTime;
    }

    /// @throws InterruptedException if the attempt is not wanted any more
    <T> T get(Supplier<T> access) throws InterruptedException {
      requireOpen();
      waitedTime.begin();
      try (var _ = WorkPermits.releaseForSibling()) {
        return access.get();
      } catch (RuntimeException e) {
        requireOpen();
        if (Thread.interrupted()) {
          throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
        }
        inbox.put(new Inbox.Signal.StoreFailed(e));
        throw e;
      } finally {
        waitedTime.end();
      }
    }

    /// What is to be made now must not be made by two owners of the run.
    void awaitLease() throws InterruptedException {
      waitedTime.begin();
      try {
        while (!closed && !term.holds()) {
          Thread.sleep(LOOK);
        }
      } finally {
        waitedTime.end();
      }
      requireOpen();
    }

    void requireOpen() throws InterruptedException {
      if (closed) {
        throw new InterruptedException("the attempt is not wanted any more");
      }
    }

    /// The attempt is not wanted any more.
    void close() {
      closed = true;
    }
  }
}
