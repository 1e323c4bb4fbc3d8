package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Repeats;
import dev.superstep.engine.node.AttemptId;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.CheckpointStore.CallbackWrite;
import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.node.Span;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.node.TaskPool;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.Ids;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseWatch;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.ResultSize;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.TaskParkedException;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.state.Change;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A running attempt, on whatever thread. Nothing it does escapes as an exception (E30).
final class LiveAttempt {
  private static final Duration LOOK = Duration.ofMillis(100);

  private final SuperstepContext superstepContext;
  private final Task task;
  private final List<Change> heldChanges;
  private final LiveSideEffects sideEffects;
  private final LiveSteps.StoreAccess access;
  private final LiveCallback callback;
  private final Supplier<LiveSteps> newSteps;
  private final RunBudget.BudgetReservation reservation;
  private final LiveTaskEvents taskEvents;
  private final AttemptCall.Attempt attempt;
  private final AttemptCall.Nesting nesting;
  private final Optional<Instant> totalEnd;
  private final long resultBytesMax;
  private final LeaseWatch.Term term;
  private volatile @Nullable Instant began;
  private volatile WorkPermits.Delay delay = WorkPermits.Delay.NONE;
  private volatile boolean ended;
  private volatile boolean abandoned;
  private @Nullable AttemptCall attemptCall;
  private @Nullable LiveSteps steps;
  private volatile TaskPool.@Nullable Handle handle;

  LiveAttempt(
      SuperstepContext superstepContext,
      Task task,
      AttemptId id,
      RetryState carried,
      DriverContext driver) {
    this.superstepContext = superstepContext;
    this.task = task;
    this.heldChanges = carried.heldChanges();
    var waitedTime = new WaitedTime(superstepContext.clock());
    this.sideEffects =
        new LiveSideEffects(superstepContext, task, id, carried.sideEffects(), waitedTime, driver);
    var written = new LiveSteps.StoreAccess(driver, waitedTime);
    this.access = written;
    this.callback = new LiveCallback(driver, written, superstepContext, task.key(), carried);
    var history = carried.steps();
    this.newSteps =
        () ->
            new LiveSteps(
                superstepContext, task.key(), history, driver.repeats(id), written, driver);
    this.reservation = new RunBudget.BudgetReservation(driver.budget());
    this.attempt = carried.attempt();
    this.taskEvents = new LiveTaskEvents(superstepContext, task.key(), attempt.number());
    this.nesting = carried.nesting(driver.now(), driver.deadline(), driver.budget().left());
    this.totalEnd = carried.attemptEnd();
    this.resultBytesMax = driver.limits().resultBytesMax();
    this.term = driver.term();
  }

  /// When its time-out ends. The time-out begins when the attempt gets its permit (E31), and
  /// excludes the time for which it queues with an answer that is there, or waits until what it has
  /// done is on disk; empty if it has not begun.
  Optional<Instant> due(Duration timeout) {
    return Optional.ofNullable(began)
        .map(it -> it.plus(timeout).plus(delay.soFar()).plus(sideEffects.waited()));
  }

  /// Whether its outcome is there; the driver may not have taken it yet.
  boolean hasEnded() {
    return ended;
  }

  /// What it has spent on models so far.
  Usage spent() {
    return reservation.spent();
  }

  /// The callback that it has opened, if any.
  Optional<OpenCallback> callback() {
    return callback.opened();
  }

  void runsOn(TaskPool.Handle thread) {
    handle = thread;
  }

  /// Abandons the attempt: its outcome will be ignored.
  void abandon() {
    abandoned = true;
    sideEffects.close();
    access.close();
    reservation.close();
    taskEvents.close();
    var thread = handle;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /// Made on first use, because most attempts have none.
  private synchronized StepJournal steps() {
    var known = steps;
    if (known == null) {
      known = newSteps.get();
      steps = known;
    }
    return known;
  }

  /// Begins once the lease is confirmed, which may have ended while the attempt waited for its
  /// permit: then its driver ends, and abandons it. After an outage it waits for its turn besides.
  Outcome runUnderLease() {
    try (var _ = WorkPermits.releaseForSibling()) {
      while (!abandoned && !(term.holds() && term.admits())) {
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("cancelled", "abandoned before it began", Retryable.NO);
    }
    return run();
  }

  public Outcome run() {
    if (abandoned) {
      return failed("cancelled", "abandoned before it began", Retryable.NO);
    }
    var now = superstepContext.clock().instant();
    began = now;
    delay = WorkPermits.delay();
    var span = superstepContext.environment().span().attempt(task, attempt.number());
    try (var _ = span.enter()) {
      var outcome = attempt(now, span);
      var failure = attemptCall == null ? null : attemptCall.failure();
      if (failure != null || !(outcome instanceof Outcome.Done)) {
        taskEvents.close();
      }
      return traced(span, failure == null ? outcome : new Outcome.Failed(failure));
    } finally {
      span.end();
      ended = true;
    }
  }

  private static Outcome traced(Span span, Outcome outcome) {
    if (outcome instanceof Outcome.Failed(var error)) {
      span.fail(error.code());
    }
    return outcome;
  }

  private Outcome attempt(Instant now, Span span) {
    if (totalEnd.filter(it -> !it.isAfter(now)).isPresent()) {
      return new Outcome.Failed(
          Repeats.timedOut(task.node().policy().totalTimeout().orElseThrow()));
    }
    try {
      var made = attemptCall(now, span);
      attemptCall = made;
      made.requireContext();
      return checked(superstepContext.program().runner(task.key().node()).run(made));
    } catch (TaskFailedException e) {
      return new Outcome.Failed(e.error());
    } catch (TaskParkedException e) {
      return new Outcome.Parked(e.until(), sideEffects.kept());
    } catch (ExpressionException e) {
      return failed(e.code(), String.valueOf(e.getMessage()), Retryable.NO);
    } catch (InterruptedException e) {
      return failed("node_interrupted", "the call was interrupted", Retryable.YES);
    } catch (StackOverflowError e) {
      return failed("node_failed", "the node recursed too deeply", Retryable.NO);
    } catch (Exception e) {
      return failed("node_failed", describe(e), Retryable.YES);
    } catch (Error e) {
      // Any throwable is a failure (E30): a class that an extension lacks, or no memory left.
      return failed("node_failed", describe(e), Retryable.NO);
    }
  }

  private AttemptCall attemptCall(Instant now, Span span) {
    var own = task.node().policy().timeout().map(now::plus);
    var deadline = totalEnd.map(it -> Repeats.earlier(it, own)).or(() -> own);
    return new AttemptCall(
        superstepContext,
        task,
        OwnState.after(superstepContext, task, heldChanges),
        new AttemptCall.Attempt(
            attempt.number(),
            attempt.generation(),
            attempt.resume(),
            deadline,
            attempt.woken(),
            new AttemptCall.Means(
                sideEffects, this::steps, reservation, span, taskEvents, nesting, callback)));
  }

  private Outcome checked(@Nullable Outcome outcome) {
    return switch (outcome) {
      case null -> failed("bad_node_result", "the node returned nothing", Retryable.NO);
      case Outcome.Done(var result) -> sized(outcome, result.change(), ResultSize.of(result));
      case Outcome.Interrupted(var request, _) ->
          sized(outcome, request.change(), ResultSize.of(request));
      case Outcome.Child(var start) -> sized(outcome, Change.NONE, Canonical.size(start.input()));
      case Outcome.Worker(var asked) ->
          sized(outcome, Change.NONE, Canonical.size(asked.payload()));
      case Outcome.Failed _, Outcome.Waiting _, Outcome.Parked _, Outcome.Callback _ -> outcome;
    };
  }

  private Outcome sized(Outcome outcome, Change change, long bytes) {
    return bytes <= resultBytesMax
        ? outcome
        : failed(
            "result_too_large",
            "the result has %d bytes (%d of them state); allowed are %d"
                .formatted(bytes, ResultSize.of(change), resultBytesMax),
            Retryable.NO);
  }

  /// Class names are for the log, not for the API: only the message of an exception is shown.
  private static String describe(Throwable failure) {
    var message = failure.getMessage();
    return message == null || message.isBlank() ? "the node failed without a message" : message;
  }

  private static Outcome failed(String code, String message, Retryable retryable) {
    return new Outcome.Failed(
        new TaskError(code, message, retryable, Optional.empty(), ObjectValue.empty()));
  }

  /// The live event sink of one attempt; it publishes until the attempt is abandoned.
  private static final class LiveTaskEvents implements LiveEventSink {
    private final RunObserver observer;
    private final String run;
    private final TaskKey task;
    private final int attempt;
    private volatile boolean closed;
    private @Nullable String id;
    private LiveText text = LiveText.NONE;
    private int texts;

    /// @param attempt from 1
    LiveTaskEvents(SuperstepContext superstepContext, TaskKey task, int attempt) {
      this.observer = superstepContext.environment().observer();
      this.run = superstepContext.run().id();
      this.task = task;
      this.attempt = attempt;
    }

    @Override
    public boolean hasSubscribers() {
      return !closed && (observer.watches(run) || observer.keepsTexts(run));
    }

    @Override
    public void publish(String type, ObjectValue data) {
      if (hasSubscribers()) {
        observer.observe(run, type, task, data.plus(ATTEMPT_ID, id()));
      }
    }

    /// Made on first use, because most attempts publish nothing.
    private synchronized String id() {
      var known = id;
      if (known == null) {
        known = UUID.randomUUID().toString();
        id = known;
      }
      return known;
    }

    /// Of the texts that a task begins, the last one is stored. Which one that is is not known as
    /// it begins, and the stored id must not depend on it: so the first one has that id.
    @Override
    public synchronized LiveText begin(Optional<String> messageId) {
      if (closed) {
        return LiveText.NONE;
      }
      texts++;
      boolean first = attempt == 1 && texts == 1;
      var id = first ? messageId : messageId.map(it -> Ids.otherText(it, attempt, texts));
      text = observer.begin(run, task, attempt, id);
      return text;
    }

    /// Stops publishing: later events would be attributed to the next attempt. What the attempt has
    /// written is void.
    synchronized void close() {
      closed = true;
      text.close();
    }
  }

  /// The callback of a running attempt (E51). It is on disk before the call that hands out its
  /// token, so that an answer may come before that has returned.
  private static final class LiveCallback implements AttemptCall.CallbackOpener {
    private final CheckpointStore store;
    private final Lease lease;
    private final LiveSteps.StoreAccess access;
    private final RunHeader run;
    private final TaskKey task;
    private final int used;
    private final Optional<Instant> totalEnd;
    private final InstantSource clock;
    private final int era;
    private volatile @Nullable OpenCallback open;

    /// @param carried what its task has used up
    LiveCallback(
        DriverContext driver,
        LiveSteps.StoreAccess access,
        SuperstepContext superstepContext,
        TaskKey task,
        RetryState carried) {
      this.store = driver.ports().store();
      this.lease = driver.lease();
      this.access = access;
      this.run = superstepContext.run();
      this.era = superstepContext.at().stamp().era();
      this.task = task;
      this.used = carried.usedCallbacks();
      this.totalEnd = carried.totalEnd();
      this.clock = superstepContext.clock();
    }

    @Override
    public OpenCallback open(CallbackRequest request) throws InterruptedException {
      access.awaitLease();
      var opened =
          access.get(() ->
              store.openCallback(
                  lease, new CallbackWrite(run.birthId(), task, used, era, bounded(request))));
      open = opened;
      return opened;
    }

    private CallbackRequest bounded(CallbackRequest request) {
      return totalEnd
          .map(it -> request.within(Duration.between(clock.instant(), it)))
          .orElse(request);
    }

    @Override
    public boolean withdraw() throws InterruptedException {
      var known = open;
      if (known == null) {
        return true;
      }
      access.awaitLease();
      boolean withdrawn = access.get(() -> store.withdrawCallback(lease, known.id()));
      if (withdrawn) {
        open = null;
      }
      return withdrawn;
    }

    Optional<OpenCallback> opened() {
      return Optional.ofNullable(open);
    }
  }
}
