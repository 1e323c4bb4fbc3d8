package dev.superstep.engine.node;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.UsageMeter;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.graph.Scope;
import dev.superstep.state.GraphState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// One call of a node: the frozen state with the task's held changes, its input, and its run. As a
/// [Scope] it offers these to expressions.
public interface NodeCall extends Scope {
  RunHeader run();

  Task task();

  GraphState state();

  /// The nodes of the graph, `__start__` and `__end__` not counted (S2-10).
  int numVertices();

  /// The node's view of the prompt context; empty values if the graph keeps none.
  PromptContext context();

  /// The answer this call resumes with, if it does.
  Optional<Resume> resume();

  /// From 1.
  int attempt();

  /// Stable over retries, crashes and takeovers; new after an answer or a state edit (E40).
  String idempotencyKey();

  /// The id for the message that the task's answer becomes. It derives from the task, so that
  /// pieces of the answer can name it before it is stored, and every attempt gives the same (E5).
  String messageId();

  /// Recorded side effects of a task that has several.
  SideEffects parts();

  /// The steps of the task.
  default StepJournal steps() {
    return StepJournal.NONE;
  }

  /// Counts and limits what the call spends on models.
  default UsageMeter meter() {
    return UsageMeter.NONE;
  }

  /// The attempt's span: parent of the spans that the node begins.
  default Span span() {
    return Span.NONE;
  }

  /// Publishes live events of the task.
  LiveEventSink watchers();

  /// When the attempt times out.
  Optional<Instant> deadline();

  /// Whether the time this task waited for has come.
  boolean woken();

  /// The database time of the parent checkpoint: the same in every attempt.
  Instant now();

  /// The clock for due times; not for anything that enters state.
  Instant clock();

  /// The identity of the run that this task begins if its outcome asks for one (E41).
  default ChildPlace nextChild() {
    throw new IllegalStateException("this call begins no runs");
  }

  /// Prepares a run that begins with the outcome of this task (E41).
  ///
  /// @return empty if the graphs cannot be read now
  default Optional<ChildStart> prepareChild(ChildRequest request) {
    throw new IllegalStateException("this call begins no runs");
  }

  /// How the run for which this task has waited ended; empty: it has waited for none.
  default Optional<ChildEnd> childEnd() {
    return Optional.empty();
  }

  /// What the run, and all attempts of the task, have left.
  default Duration timeLeft() {
    return Duration.ofDays(366);
  }

  /// How the worker for whom this task has waited ended; empty: it has waited for none.
  default Optional<WorkerEnd> workerEnd() {
    return Optional.empty();
  }

  /// Has the outside answer the task (E51). When this returns that may have begun; expressions see
  /// it as `callback`. An attempt opens one at most, and ends with [Outcome.Callback] or fails: its
  /// repetition behind a crash has the same one, its retry another.
  default OpenCallback openCallback(CallbackRequest request) throws InterruptedException {
    throw new IllegalStateException("this call opens no callbacks");
  }

  /// Has answers to the callback of this attempt refused, which may open another one then.
  ///
  /// @return false if one has come: it counts
  default boolean withdrawCallback() throws InterruptedException {
    throw new IllegalStateException("this call opens no callbacks");
  }

  /// How the callback for which this task has waited ended; empty: it has waited for none.
  default Optional<WorkerEnd> callbackEnd() {
    return Optional.empty();
  }
}
