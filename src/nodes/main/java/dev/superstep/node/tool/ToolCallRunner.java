package dev.superstep.node.tool;

import dev.superstep.engine.node.Span;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.json.Json;
import dev.superstep.node.CallbackWait;
import dev.superstep.node.tool.Tool.Execution;
import dev.superstep.node.tool.Tool.Invocation;
import dev.superstep.node.tool.ToolCallJournal.JournaledResult;
import dev.superstep.secret.MissingSecretException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
import java.util.function.Predicate;

/// Runs tool calls concurrently, each on a virtual thread of its own, started in order.
///
/// @param parallelMax calls of one task that run at a time
/// @param resultBytesMax of one result as the model sees it
/// @param counts of the calls that the operator limits
/// @param meters time the calls by outcome; not by tool, since graphs may bring tools of their own
record ToolCallRunner(
    ThreadFactory threads,
    int parallelMax,
    long resultBytesMax,
    CallCounts counts,
    MeterRegistry meters) {
  /// For nodes without a time-out.
  private static final Duration LONGEST = Duration.ofHours(1);

  private static final String CUT = "\n… (the rest was cut: the result is too large)";

  /// In order, each call behind the one before.
  ToolCallRunner oneByOne() {
    return new ToolCallRunner(threads, 1, resultBytesMax, counts, meters);
  }

  /// Runs the calls that are to run; returns when each has its result, or an unknown outcome.
  ///
  /// @param isLater which are left out
  void run(
      ToolCallPlanner toolCallPlanner,
      List<ToolCall> toolCalls,
      Predicate<ToolCallPlan.Run> isLater)
      throws InterruptedException {
    var runs = new ArrayList<ToolCallPlan.Run>();
    for (var toolCall : toolCalls) {
      if (toolCallPlanner.plan(toolCall) instanceof ToolCallPlan.Run run && !isLater.test(run)) {
        runs.add(run);
      }
    }
    if (runs.size() == 1) {
      run(toolCallPlanner, runs.getFirst());
    } else if (!runs.isEmpty()) {
      try (var _ = WorkPermits.releaseDuringIo()) {
        sideBySide(toolCallPlanner, runs);
      }
    }
  }

  private void sideBySide(ToolCallPlanner toolCallPlanner, List<ToolCallPlan.Run> runs)
      throws InterruptedException {
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
                run(toolCallPlanner, it);
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

  private void run(ToolCallPlanner toolCallPlanner, ToolCallPlan.Run run)
      throws InterruptedException {
    if (begin(toolCallPlanner, run)) {
      end(toolCallPlanner, run, outcome(toolCallPlanner, run, Optional.empty()));
    }
  }

  /// @return false if it may not run; that is its result
  private boolean begin(ToolCallPlanner toolCallPlanner, ToolCallPlan.Run run)
      throws InterruptedException {
    var toolCallJournal = toolCallPlanner.toolCallJournal();
    var refusal = refusal(toolCallPlanner, run);
    if (refusal.isPresent()) {
      toolCallJournal.ended(run.call(), JournaledResult.refused(Toolbox.CALL_LIMIT, refusal.get()));
      return false;
    }
    if (isOnce(run)) {
      if (!toolCallJournal.isStarted(run.call())) {
        toolCallJournal.started(run.call());
      }
      counts.begin(toolCallPlanner.task().run().id(), run.call());
    }
    return true;
  }

  private static boolean isOnce(ToolCallPlan.Run run) {
    return run.tool().description().execution() == Execution.AT_MOST_ONCE;
  }

  /// Makes a call whose result comes from outside, unless it is made (E51).
  ///
  /// @return empty if it has its result, or an unknown outcome
  Optional<OpenCallback> submit(
      ToolCallPlanner toolCallPlanner, ToolCallPlan.Run run, CallbackWait wait)
      throws InterruptedException {
    var toolCallJournal = toolCallPlanner.toolCallJournal();
    var task = toolCallPlanner.task();
    if (toolCallJournal.isAwaiting(run.call())) {
      return Optional.of(wait.open(task));
    }
    if (!begin(toolCallPlanner, run)) {
      return Optional.empty();
    }
    var open = wait.open(task);
    var outcome = outcome(toolCallPlanner, run, Optional.of(open.url()));
    // An answer that has come says that the call has arrived, whatever its own outcome.
    if (outcome instanceof Tool.Outcome.Answered || !task.withdrawCallback()) {
      toolCallJournal.awaits(run.call());
      return Optional.of(open);
    }
    end(toolCallPlanner, run, outcome);
    return Optional.empty();
  }

  /// What the outside has made of a call.
  void end(ToolCallPlanner toolCallPlanner, ToolCallPlan.Run run, WorkerEnd end)
      throws InterruptedException {
    switch (end) {
      case WorkerEnd.Failed(var error) ->
          end(toolCallPlanner, run, "The tool failed: " + error.message(), true);
      case WorkerEnd.Returned(Value.Text(var text)) -> end(toolCallPlanner, run, text, false);
      case WorkerEnd.Returned(var value) -> end(toolCallPlanner, run, Canonical.text(value), false);
      case WorkerEnd.StepQuestion(_, _, var question) ->
          end(toolCallPlanner, run, Canonical.text(question), false);
    }
  }

  private void end(ToolCallPlanner toolCallPlanner, ToolCallPlan.Run run, Tool.Outcome outcome)
      throws InterruptedException {
    switch (outcome) {
      case Tool.Outcome.Answered(var content) -> end(toolCallPlanner, run, content, false);
      case Tool.Outcome.Erred(var message) -> end(toolCallPlanner, run, message, true);
      case Tool.Outcome.Unknown(var message) -> {
        // No result is recorded for a call that may not be repeated: a person will be asked.
        if (!isOnce(run)) {
          end(toolCallPlanner, run, message, true);
        }
      }
    }
  }

  /// Counts the call, unless its tool is unlimited. Returns the error of a call beyond the limit.
  private Optional<String> refusal(ToolCallPlanner toolCallPlanner, ToolCallPlan.Run run)
      throws InterruptedException {
    var toolCall = run.call();
    var ofMessage = run.policy().perMessageMax();
    var ofRun = run.policy().perRunMax();
    var toolCallJournal = toolCallPlanner.toolCallJournal();
    if ((ofMessage.isEmpty() && ofRun.isEmpty()) || toolCallJournal.isCounted(toolCall)) {
      return Optional.empty();
    }
    var id = toolCallPlanner.task().run().id();
    if (ofMessage.isPresent() && !counts.takeOfMessage(id, toolCall, ofMessage.getAsInt())) {
      return Optional.of(Toolbox.tooManyOfMessage(toolCall, ofMessage.getAsInt()));
    }
    if (ofRun.isPresent() && !counts.takeOfRun(id, toolCall.name(), ofRun.getAsInt())) {
      return Optional.of(
          "'%s' may be called %d times in a run.".formatted(toolCall.name(), ofRun.getAsInt()));
    }
    toolCallJournal.counted(toolCall);
    return Optional.empty();
  }

  private Tool.Outcome outcome(
      ToolCallPlanner toolCallPlanner, ToolCallPlan.Run run, Optional<String> callbackUrl)
      throws InterruptedException {
    var task = toolCallPlanner.task();
    var left = task.deadline().map(it -> Duration.between(task.clock(), it)).orElse(LONGEST);
    var span = ToolSpan.begin(task.span(), run);
    var invocation =
        new Invocation(
            run.arguments(),
            toolCallPlanner.toolCallJournal().idempotencyKey(run.call()),
            task.run().id(),
            task.run().graph(),
            left,
            span,
            run.token(),
            callbackUrl);
    var timer = Timer.start(meters);
    var how = "erred";
    try (var _ = span.enter()) {
      var outcome = ToolSpan.record(span, run.tool().call(invocation));
      how = named(outcome);
      return outcome;
    } catch (InterruptedException | TaskFailedException e) {
      how = "interrupted";
      throw e;
    } catch (MissingSecretException e) {
      return new Tool.Outcome.Erred("The tool is not set up: " + e.getMessage());
    } catch (Exception e) {
      return new Tool.Outcome.Erred(
          e.getMessage() == null ? "The tool failed." : "The tool failed: " + e.getMessage());
    } finally {
      span.end();
      timer.stop(meters.timer("superstep.tool.calls", "outcome", how));
    }
  }

  private static String named(Tool.Outcome outcome) {
    return switch (outcome) {
      case Tool.Outcome.Answered _ -> "answered";
      case Tool.Outcome.Erred _ -> "erred";
      case Tool.Outcome.Unknown _ -> "unknown";
    };
  }

  private void end(
      ToolCallPlanner toolCallPlanner, ToolCallPlan.Run run, String content, boolean erred)
      throws InterruptedException {
    var cut = cut(content);
    toolCallPlanner.toolCallJournal().ended(run.call(), new JournaledResult(cut, erred));
    if (isOnce(run)) {
      counts.end(toolCallPlanner.task().run().id(), run.call(), ToolResults.storable(cut), erred);
    }
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

  /// The span of a tool call, named by OpenTelemetry's conventions.
  private static final class ToolSpan {
    private ToolSpan() {}

    static Span begin(Span parent, ToolCallPlan.Run run) {
      if (!parent.isRecorded()) {
        return parent.begin("", Span.Kind.INTERNAL);
      }
      var tool = run.tool().description();
      var span = parent.begin("execute_tool " + tool.name(), Span.Kind.INTERNAL);
      span.setAttribute("gen_ai.operation.name", "execute_tool");
      span.setAttribute("gen_ai.tool.name", tool.name());
      span.setAttribute("gen_ai.tool.call.id", run.call().id());
      span.setAttribute(
          "gen_ai.tool.type", tool.source().equals("java") ? "function" : "extension");
      if (span.takesContent()) {
        span.setAttribute("gen_ai.tool.call.arguments", Json.write(run.arguments()));
      }
      return span;
    }

    static Tool.Outcome record(Span span, Tool.Outcome outcome) {
      switch (outcome) {
        case Tool.Outcome.Answered(var content) -> result(span, content);
        case Tool.Outcome.Erred(var message) -> {
          span.fail("tool_error");
          result(span, message);
        }
        case Tool.Outcome.Unknown _ -> span.fail("tool_outcome_unknown");
      }
      return outcome;
    }

    private static void result(Span span, String content) {
      if (span.takesContent()) {
        span.setAttribute("gen_ai.tool.call.result", content);
      }
    }
  }
}
