package dev.superstep.node.tool;

import dev.superstep.engine.Foreground;
import dev.superstep.engine.NodeCall;
import dev.superstep.engine.TaskFailedException;
import dev.superstep.node.tool.Journal.Result;
import dev.superstep.node.tool.Tool.Execution;
import dev.superstep.node.tool.Tool.Invocation;
import dev.superstep.secret.MissingSecretException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/// Runs calls side by side, each on a virtual thread of its own, begun in their order.
///
/// @param parallelMax calls of one task that run at a time
/// @param resultBytesMax of what a model is told of one call
/// @param counts of the calls that the operator limits
record Running(ThreadFactory threads, int parallelMax, long resultBytesMax, CallCounts counts) {
  /// For nodes without a time-out.
  private static final Duration LONGEST = Duration.ofHours(1);

  private static final String CUT = "\n… (the rest was cut: the result is too large)";

  /// Runs what has to be run; returns when each has its result, or nobody knows it.
  void run(Planning planning, List<Call> calls) throws InterruptedException {
    var runs = new ArrayList<Plan.Run>();
    for (var call : calls) {
      if (planning.plan(call) instanceof Plan.Run run) {
        runs.add(run);
      }
    }
    if (runs.size() == 1) {
      run(planning, runs.getFirst());
    } else if (!runs.isEmpty()) {
      try (var _ = Foreground.outside()) {
        sideBySide(planning, runs);
      }
    }
  }

  private void sideBySide(Planning planning, List<Plan.Run> runs) throws InterruptedException {
    var permits = new Semaphore(parallelMax);
    // Not closed, which would wait for tools that do not answer an interrupt.
    @SuppressWarnings("resource")
    ExecutorService workers = Executors.newThreadPerTaskExecutor(threads);
    var ends = new ArrayList<Future<?>>();
    try {
      for (var it : runs) {
        permits.acquire();
        ends.add(
            workers.submit(() -> {
              try {
                run(planning, it);
              } finally {
                permits.release();
              }
              return it;
            }));
      }
      for (var end : ends) {
        await(end);
      }
    } finally {
      workers.shutdownNow();
    }
  }

  private static void await(Future<?> end) throws InterruptedException {
    try {
      end.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case InterruptedException interrupted -> throw interrupted;
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  private void run(Planning planning, Plan.Run run) throws InterruptedException {
    var journal = planning.journal();
    var refusal = refusal(planning, run);
    if (refusal.isPresent()) {
      journal.ended(run.call(), Result.refused(Toolbox.CALL_LIMIT, refusal.get()));
      return;
    }
    boolean once = run.tool().description().execution() == Execution.AT_MOST_ONCE;
    if (once && !journal.isStarted(run.call())) {
      journal.started(run.call());
    }
    switch (outcome(planning.task(), journal, run)) {
      case Tool.Outcome.Answered(var content) -> end(journal, run.call(), content, false);
      case Tool.Outcome.Erred(var message) -> end(journal, run.call(), message, true);
      case Tool.Outcome.Unknown(var message) -> {
        // Nothing more is kept of a call that may not be repeated: a person will be asked.
        if (!once) {
          end(journal, run.call(), message, true);
        }
      }
    }
  }

  /// Counts the call, unless nothing bounds calls of its tool. What is said of one too many.
  private Optional<String> refusal(Planning planning, Plan.Run run) throws InterruptedException {
    var call = run.call();
    var ofMessage = run.policy().perMessageMax();
    var ofRun = run.policy().perRunMax();
    var journal = planning.journal();
    if ((ofMessage.isEmpty() && ofRun.isEmpty()) || journal.isCounted(call)) {
      return Optional.empty();
    }
    var id = planning.task().run().id();
    if (ofMessage.isPresent() && !counts.takeOfMessage(id, call, ofMessage.getAsInt())) {
      return Optional.of(Toolbox.tooManyOfMessage(call, ofMessage.getAsInt()));
    }
    if (ofRun.isPresent() && !counts.takeOfRun(id, call.name(), ofRun.getAsInt())) {
      return Optional.of(
          "'%s' may be called %d times in a run.".formatted(call.name(), ofRun.getAsInt()));
    }
    journal.counted(call);
    return Optional.empty();
  }

  private Tool.Outcome outcome(NodeCall task, Journal journal, Plan.Run run)
      throws InterruptedException {
    var left = task.deadline().map(it -> Duration.between(task.clock(), it)).orElse(LONGEST);
    var span = ToolSpan.begin(task.span(), run);
    var invocation =
        new Invocation(
            run.arguments(), journal.idempotencyKey(run.call()), task.run().id(), left, span);
    try (var _ = span.enter()) {
      return ToolSpan.told(span, run.tool().call(invocation));
    } catch (InterruptedException | TaskFailedException e) {
      throw e;
    } catch (MissingSecretException e) {
      return new Tool.Outcome.Erred("The tool is not set up: " + e.getMessage());
    } catch (Exception e) {
      return new Tool.Outcome.Erred(
          e.getMessage() == null ? "The tool failed." : "The tool failed: " + e.getMessage());
    } finally {
      span.end();
    }
  }

  private void end(Journal journal, Call call, String content, boolean erred)
      throws InterruptedException {
    journal.ended(call, new Result(cut(content), erred));
  }

  /// Characters stand for bytes here, which is close enough for a limit.
  private String cut(String content) {
    if (content.length() <= resultBytesMax) {
      return content;
    }
    int end = Math.toIntExact(resultBytesMax);
    return content.substring(0, Character.isHighSurrogate(content.charAt(end - 1)) ? end - 1 : end)
        + CUT;
  }
}
