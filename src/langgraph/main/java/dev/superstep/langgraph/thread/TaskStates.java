package dev.superstep.langgraph.thread;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.TaskIds;
import dev.superstep.langgraph.thread.StateSnapshot.TaskSnapshot;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.InterruptFilter;
import dev.superstep.run.Page;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.run.TaskEnd;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Reads the tasks that are pending at a checkpoint, with the questions that they ask and the
/// errors with which they have failed.
@Component
@OnLangGraph
class TaskStates {
  private static final int QUESTIONS_MAX = 200;
  private static final TaskKey INPUT = new TaskKey(0, NodeId.START, null);
  private final RunQueries runs;

  TaskStates(RunQueries runs) {
    this.runs = runs;
  }

  /// The open questions of a run and of those that its tasks have begun, by the id of its task.
  Map<String, List<StoredInterrupt>> questions(String run) {
    var open =
        new InterruptFilter(
            Optional.of(run), Optional.empty(), Optional.of(StoredInterrupt.Status.OPEN));
    var byTask = new HashMap<String, List<StoredInterrupt>>();
    var found = runs.interrupts(open, Page.Request.first(QUESTIONS_MAX)).items();
    for (var interrupt : found.reversed()) {
      interrupt
          .task(run)
          .ifPresent(it ->
              byTask.computeIfAbsent(TaskIds.of(run, it), _ -> new ArrayList<>()).add(interrupt));
    }
    return byTask;
  }

  /// What takes the input of a run.
  static TaskSnapshot input(RunSummary run) {
    return new TaskSnapshot(
        TaskIds.of(run.id(), INPUT), INPUT.node().value(), Value.NULL, List.of(), Value.NULL);
  }

  /// The tasks that follow a checkpoint and have ended, but are not committed: beside a question or
  /// a failure.
  List<TaskEnd> ended(RunSummary run, CheckpointView checkpoint) {
    int superstep = checkpoint.summary().superstep();
    return superstep == run.standing().superstep() && mayGoOn(run.status())
        ? runs.stops(run.id(), superstep).stream().flatMap(it -> it.ended().stream()).toList()
        : List.of();
  }

  private static boolean mayGoOn(RunStatus status) {
    return mayAsk(status) || status == RunStatus.FAILED;
  }

  /// The tasks that follow a checkpoint. Questions and errors are those of the run as it stands, so
  /// that only the tasks which it has not committed have some.
  ///
  /// @param ended what those that have ended have changed, by their ids
  List<TaskSnapshot> pending(RunSummary run, CheckpointView checkpoint, Map<String, Value> ended) {
    boolean newest =
        checkpoint.summary().superstep() == run.standing().superstep()
            && !activations(checkpoint).isEmpty();
    var asked =
        newest && mayAsk(run.status())
            ? questions(run.id())
            : Map.<String, List<StoredInterrupt>>of();
    var errors = newest ? errors(run) : Map.<String, Value>of();
    var written = tasks(run, checkpoint, new KnownTasks(asked, errors, ended));
    return newest ? withError(written, run, errors) : written;
  }

  /// The tasks that follow a checkpoint when it is committed.
  static List<TaskSnapshot> committed(RunSummary run, CheckpointView checkpoint) {
    return tasks(run, checkpoint, KnownTasks.NOTHING);
  }

  /// @param interrupts questions by ids of tasks
  /// @param errors by keys of tasks
  /// @param ended changes by ids of tasks
  private record KnownTasks(
      Map<String, List<StoredInterrupt>> interrupts,
      Map<String, Value> errors,
      Map<String, Value> ended) {
    static final KnownTasks NOTHING = new KnownTasks(Map.of(), Map.of(), Map.of());
  }

  private static List<Activation> activations(CheckpointView checkpoint) {
    return checkpoint.pending().stream().filter(it -> !it.node().equals(NodeId.END)).toList();
  }

  private static List<TaskSnapshot> tasks(
      RunSummary run, CheckpointView checkpoint, KnownTasks known) {
    int superstep = checkpoint.summary().superstep();
    var tasks = new ArrayList<TaskSnapshot>();
    for (var activation : activations(checkpoint)) {
      var key = new TaskKey(superstep + 1, activation.node(), dispatch(activation));
      var id = TaskIds.of(run.id(), key);
      tasks.add(
          new TaskSnapshot(
              id,
              key.node().value(),
              known.errors().getOrDefault(key.toString(), Value.NULL),
              known.interrupts().getOrDefault(id, List.of()),
              known.ended().getOrDefault(id, Value.NULL)));
    }
    return tasks;
  }

  private static boolean mayAsk(RunStatus status) {
    return switch (status) {
      case INTERRUPTED, RUNNING, WAITING, QUEUED -> true;
      case CANCELLING, SUCCEEDED, FAILED, CANCELLED -> false;
    };
  }

  private static @Nullable String dispatch(Activation activation) {
    return switch (activation) {
      case Activation.Plain _ -> null;
      case Activation.Sent sent -> sent.dispatch().id();
    };
  }

  private Map<String, Value> errors(RunSummary run) {
    var errors = new HashMap<String, Value>();
    if (run.status() == RunStatus.FAILED || run.status() == RunStatus.INTERRUPTED) {
      for (var task : runs.run(run.id()).failedTasks()) {
        task.error().ifPresent(it -> errors.put(task.id(), error(it.code(), it.message())));
      }
    }
    return errors;
  }

  /// What a run has failed with that is not the error of a task is shown at its last one.
  private static List<TaskSnapshot> withError(
      List<TaskSnapshot> tasks, RunSummary run, Map<String, Value> known) {
    var error = run.standing().error();
    if (error.isPresent() && known.isEmpty() && !tasks.isEmpty()) {
      var of = error.get().error();
      tasks.addLast(tasks.removeLast().with(error(of.code(), of.message())));
    }
    return tasks;
  }

  /// JSON in a text: clients show the message of what they can read so.
  private static Value error(String code, String message) {
    return Value.of(
        Canonical.text(
            ObjectValue.of("name", code)
                .plus("error", code)
                .plus("message", Tenant.current().shownIn(message))));
  }
}
