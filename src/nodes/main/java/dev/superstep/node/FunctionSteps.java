package dev.superstep.node;

import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.node.StepJournal.JournaledStep;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.TaskError;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The steps of one call of a function, as its journal keeps them.
final class FunctionSteps implements Steps {
  private static final int PARALLEL_MAX = 16;
  private static final Duration LONGEST = Duration.ofDays(366);
  private static final ScopedValue<JournaledStep> CURRENT = ScopedValue.newInstance();

  private final Supplier<StepJournal> journal;
  private final InstantSource clock;
  private final Thread owner = Thread.currentThread();
  private volatile boolean used;
  private boolean within;

  /// How the call ends, whatever the function makes of it: it sleeps or asks.
  private volatile @Nullable Outcome suspension;

  /// Why the call fails, whatever the function makes of it: its journal does not go on.
  private volatile @Nullable Throwable broken;

  /// @param journal of the call, made when the function begins its first step; [StepJournal#NONE]
  ///   if it may have none
  FunctionSteps(Supplier<StepJournal> journal, NodeCall call) {
    this.journal = journal;
    this.clock = call::clock;
  }

  /// How a step was made now, or before.
  ///
  /// @param cause of its failure, if it failed now
  private record MadeStep(StepEnd end, @Nullable Exception cause) {}

  @FunctionalInterface
  private interface JournalAccess<T> {
    T get() throws InterruptedException;
  }

  @Override
  public <T> T run(String name, Class<T> type, StepBody<T> body) throws InterruptedException {
    return notNull(name, StepResults.read(name, type, made(name, StepKind.RUN, body)));
  }

  @Override
  public void run(String name, StepAction body) throws InterruptedException {
    Value _ =
        made(
            name,
            StepKind.RUN,
            () -> {
              body.run();
              return Value.NULL;
            });
  }

  @Override
  public <T> T once(String name, Class<T> type, StepBody<T> body) throws InterruptedException {
    return notNull(name, StepResults.read(name, type, made(name, StepKind.ONCE, body)));
  }

  private static <T> T notNull(String name, @Nullable T result) {
    if (result == null) {
      throw StepException.permanent(
          "bad_step_result", "the result of step '%s' is null".formatted(name), null);
    }
    return result;
  }

  private Value made(String name, StepKind kind, StepBody<?> body) throws InterruptedException {
    var step = begin(name, kind, 1).getFirst();
    within = true;
    try {
      return value(make(step, body));
    } finally {
      within = false;
    }
  }

  private List<JournaledStep> begin(String name, StepKind kind, int count)
      throws InterruptedException {
    requireGoing();
    if (within || AgentScope.isWithinCall() || !isOwned()) {
      throw new IllegalStateException(
          "step '%s' was begun within another one, or on another thread than the function's"
              .formatted(name));
    }
    if (!StepJournal.NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a step must be %s; got '%s'".formatted(StepJournal.NAME.pattern(), name));
    }
    used = true;
    return journaled(() -> journal.get().begin(name, kind, count));
  }

  /// Once the journal has refused something, it is not asked again.
  private <T> T journaled(JournalAccess<T> access) throws InterruptedException {
    var known = broken;
    if (known != null) {
      throw new IllegalStateException("the steps of this call do not go on", known);
    }
    try {
      return access.get();
    } catch (InterruptedException e) {
      // Beside the function, one call may be cancelled, and others go on.
      if (isOwned()) {
        broken = e;
      }
      throw e;
    } catch (RuntimeException e) {
      broken = e;
      throw e;
    }
  }

  private MadeStep make(JournaledStep step, StepBody<?> body) throws InterruptedException {
    if (step.end().isPresent()) {
      return new MadeStep(step.end().get(), null);
    }
    StepEnd end;
    Exception cause = null;
    try {
      var result = ScopedValue.where(CURRENT, step).call(() -> AgentScope.outside(body::call));
      end = new StepEnd.StepResult(StepResults.write(step.name(), result));
    } catch (Exception e) {
      cause = e;
      end = new StepEnd.StepFailure(StepResults.storable(step.name(), error(step.name(), e)));
    } catch (Error e) {
      broken = e;
      throw e;
    }
    var made = end;
    return new MadeStep(journaled(() -> journal.get().end(step, made)), cause);
  }

  static TaskError error(String name, Exception failure) {
    return switch (failure) {
      case NodeException e -> e.error();
      case StepException e -> e.error();
      case InterruptedException _ ->
          TaskError.retryable("node_interrupted", "step '%s' was interrupted".formatted(name));
      default -> {
        var message = failure.getMessage();
        yield TaskError.retryable(
            "node_failed",
            message == null || message.isBlank() ? "step '%s' failed".formatted(name) : message);
      }
    };
  }

  private static Value value(MadeStep made) {
    return switch (made.end()) {
      case StepEnd.StepResult(var result) -> result;
      case StepEnd.StepFailure(var error) -> throw new StepException(error, made.cause());
    };
  }

  @Override
  public <I, T> List<T> all(String name, List<I> items, Class<T> type, StepItemBody<I, T> body)
      throws InterruptedException {
    var given = List.copyOf(items);
    var steps = begin(name, StepKind.RUN, given.size());
    var made = new MadeStep[steps.size()];
    var next = new AtomicInteger();
    together(
        Math.min(PARALLEL_MAX, made.length),
        () -> {
          for (int i = next.getAndIncrement(); i < made.length; i = next.getAndIncrement()) {
            var item = given.get(i);
            made[i] = make(steps.get(i), () -> body.call(item));
          }
          return made;
        });
    var results = new ArrayList<T>(made.length);
    for (var it : made) {
      results.add(notNull(name, StepResults.read(name, type, value(it))));
    }
    return results;
  }

  private static void together(int count, Callable<?> work) throws InterruptedException {
    // Not closed, which would wait for calls that do not answer an interrupt.
    @SuppressWarnings("resource")
    var threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("step").factory());
    try {
      for (var ended : threads.invokeAll(Collections.nCopies(count, work))) {
        await(ended);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void await(Future<?> call) throws InterruptedException {
    try {
      Object _ = call.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case InterruptedException interrupted -> throw interrupted;
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void sleep(String name, Duration duration) throws InterruptedException {
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("step '%s' sleeps for more than a year".formatted(name));
    }
    var step = begin(name, StepKind.SLEEP, 1).getFirst();
    if (step.end().isEmpty()) {
      var due = new StepEnd.StepResult(Value.of(clock.instant().plus(duration).toString()));
      sleepUntil(journaled(() -> journal.get().end(step, due)));
    } else {
      sleepUntil(step.end().get());
    }
  }

  private void sleepUntil(StepEnd end) {
    if (value(new MadeStep(end, null)) instanceof Value.Text(var text)) {
      var due = Instant.parse(text);
      if (due.isAfter(clock.instant())) {
        throw suspended(new Outcome.Waiting(due));
      }
    }
  }

  @Override
  public <T> @Nullable T ask(String name, Class<T> type, FunctionResult question)
      throws InterruptedException {
    var request = request(question);
    var step = begin(name, StepKind.ASK, 1).getFirst();
    if (step.end().isEmpty()) {
      throw suspended(journal.get().ask(step, request));
    }
    try {
      return StepResults.read(name, type, value(new MadeStep(step.end().get(), null)));
    } catch (StepException e) {
      throw suspended(journal.get().ask(step, request));
    }
  }

  @Override
  public String idempotencyKey() {
    if (!CURRENT.isBound()) {
      throw new IllegalStateException("no step is made by this thread");
    }
    return journal.get().idempotencyKey(CURRENT.get());
  }

  private static InterruptRequest request(FunctionResult question) {
    if (NodeResults.parse(question.json()) instanceof Outcome.Interrupted(var request, _)
        && request.change().isEmpty()) {
      return request;
    }
    throw new IllegalArgumentException(
        "a step asks by FunctionResult.interrupt(…), without a change of the state");
  }

  /// Whether the calling thread is the one of the function.
  boolean isOwned() {
    return Thread.currentThread().equals(owner);
  }

  /// Begins the step of an agent.
  JournaledStep call(String name, StepKind kind) throws InterruptedException {
    requireGoing();
    used = true;
    return journaled(() -> journal.get().call(name, kind));
  }

  /// Ends the step of an agent.
  StepEnd ended(JournaledStep step, StepEnd end) throws InterruptedException {
    requireGoing();
    return journaled(() -> journal.get().end(step, end));
  }

  /// Fails the call, whatever the function makes of it.
  void fail(RuntimeException failure) {
    broken = failure;
  }

  private void requireGoing() {
    if (suspension != null) {
      throw new StepSuspension();
    }
  }

  private StepSuspension suspended(Outcome outcome) {
    suspension = outcome;
    return new StepSuspension();
  }

  /// Calls the function, and says how its call has ended: as its steps say, if they do.
  Outcome settle(Callable<Outcome> function) throws Exception {
    Outcome outcome = null;
    try {
      outcome = function.call();
      if (!isDecided() && !(outcome instanceof Outcome.Failed)) {
        finish();
      }
    } catch (Throwable e) {
      if (!isDecided()) {
        throw e;
      }
    }
    switch (broken) {
      case null -> {}
      case Error failure -> throw failure;
      case Exception failure -> throw failure;
      case Throwable failure -> throw new IllegalStateException(failure);
    }
    return suspension == null ? Objects.requireNonNull(outcome) : suspension;
  }

  private void finish() throws InterruptedException {
    if (used) {
      StepJournal _ =
          journaled(() -> {
            journal.get().finish();
            return journal.get();
          });
    }
  }

  private boolean isDecided() {
    return suspension != null || broken != null;
  }
}
