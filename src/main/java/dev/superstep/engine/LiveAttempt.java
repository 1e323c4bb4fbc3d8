package dev.superstep.engine;

import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.state.Canonical;
import dev.superstep.state.Change;
import dev.superstep.state.ObjectValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One attempt while it runs, on whatever thread. Nothing it does escapes as an exception (E30).
@SuppressWarnings("checkstyle:ClassFanOutComplexity") // where all that an attempt has meets
final class LiveAttempt {
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Frame frame;
  private final Task task;
  private final List<Change> heldChanges;
  private final LiveParts parts;
  private final Budget.Draw meter;
  private final LiveWatchers watchers;
  private final Call.Attempt attempt;
  private final Call.Nesting nesting;
  private final long resultBytesMax;
  private final LeaseWatch.Term term;
  private volatile @Nullable Instant began;
  private volatile Foreground.Delay delay = Foreground.Delay.NONE;
  private volatile boolean ended;
  private volatile boolean abandoned;
  private @Nullable Call call;
  private volatile TaskPool.@Nullable Handle handle;

  LiveAttempt(Frame frame, Task task, AttemptId id, Remains carried, DriverContext driver) {
    this.frame = frame;
    this.task = task;
    this.heldChanges = carried.heldChanges();
    this.parts = new LiveParts(frame, task, id, carried.parts(), driver);
    this.meter = new Budget.Draw(driver.budget());
    this.watchers = new LiveWatchers(frame, task.key());
    this.attempt = carried.attempt();
    this.nesting =
        carried.nesting(Duration.between(driver.now(), driver.deadline()), driver.budget().left());
    this.resultBytesMax = driver.limits().resultBytesMax();
    this.term = driver.term();
  }

  /// When its time-out ends, which begins when it gets its permit (E31), and does not count the
  /// time for which it queues with an answer that is there; empty if it has not begun.
  Optional<Instant> due(Duration timeout) {
    return Optional.ofNullable(began).map(it -> it.plus(timeout).plus(delay.soFar()));
  }

  /// Whether its outcome is there: on its way to the driver, if that has not taken it yet.
  boolean hasEnded() {
    return ended;
  }

  /// What it has spent on models so far.
  Usage spent() {
    return meter.spent();
  }

  void runsOn(TaskPool.Handle thread) {
    handle = thread;
  }

  /// Nobody waits for this attempt any more.
  void abandon() {
    abandoned = true;
    parts.close();
    meter.close();
    watchers.close();
    var thread = handle;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /// Begins when it is confirmed that the lease still holds, which may have ended while the attempt
  /// waited for its permit: then its driver ends, and abandons it.
  Outcome runUnderLease() {
    try (var _ = Foreground.aside()) {
      while (!abandoned && !term.holds()) {
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("cancelled", "abandoned before it began", Retryable.NO);
    }
    return run();
  }

  Outcome run() {
    if (abandoned) {
      return failed("cancelled", "abandoned before it began", Retryable.NO);
    }
    var now = frame.clock().instant();
    began = now;
    delay = Foreground.delay();
    var span = frame.outside().span().attempt(task, attempt.number());
    try (var _ = span.enter()) {
      var outcome = attempt(now, span);
      var failure = call == null ? null : call.failure();
      return told(span, failure == null ? outcome : new Outcome.Failed(failure));
    } finally {
      span.end();
      ended = true;
    }
  }

  private static Outcome told(Span span, Outcome outcome) {
    if (outcome instanceof Outcome.Failed(var error)) {
      span.fail(error.code());
    }
    return outcome;
  }

  private Outcome attempt(Instant now, Span span) {
    try {
      var made = call(now, span);
      call = made;
      made.requireContext();
      return checked(frame.program().runner(task.key().node()).run(made));
    } catch (TaskFailedException e) {
      return new Outcome.Failed(e.error());
    } catch (ExpressionException e) {
      return failed(e.code(), String.valueOf(e.getMessage()), Retryable.NO);
    } catch (InterruptedException e) {
      return failed("node_interrupted", "the call was interrupted", Retryable.YES);
    } catch (StackOverflowError e) {
      return failed("node_failed", "the node recursed too deeply", Retryable.NO);
    } catch (Exception e) {
      return failed("node_failed", describe(e), Retryable.YES);
    } catch (Error e) {
      // Whatever is thrown is a failure (E30): a class that an extension lacks, or no memory left.
      return failed("node_failed", describe(e), Retryable.NO);
    }
  }

  private Call call(Instant now, Span span) {
    var deadline = task.node().policy().timeout().map(now::plus);
    return new Call(
        frame,
        task,
        OwnState.after(frame, task, heldChanges),
        new Call.Attempt(
            attempt.number(),
            attempt.generation(),
            attempt.resume(),
            deadline,
            attempt.woken(),
            new Call.Means(parts, meter, span, watchers, nesting)));
  }

  private Outcome checked(@Nullable Outcome outcome) {
    return switch (outcome) {
      case null -> failed("bad_node_result", "the node returned nothing", Retryable.NO);
      case Outcome.Done(var result) -> sized(outcome, result.change(), ResultSize.of(result));
      case Outcome.Interrupted(var request) ->
          sized(outcome, request.change(), ResultSize.of(request));
      case Outcome.Child(var start) -> sized(outcome, Change.NONE, Canonical.size(start.input()));
      case Outcome.Failed _, Outcome.Waiting _ -> outcome;
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
}
