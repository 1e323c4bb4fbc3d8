package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.CustomEvent;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskError;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Builds the stored events of a superstep.
final class TaskEvents {
  private TaskEvents() {}

  /// The event of a task that failed or asks, or began a run, unless it is stored already.
  public static Optional<Event> firstEvent(OpenTask openTask) {
    var record = openTask.record();
    return openTask.isAnnounced() || record == null ? Optional.empty() : of(record);
  }

  static Optional<Event> of(TaskRecord record) {
    return switch (record.status()) {
      case TaskRecord.TaskStatus.Failed(var error) ->
          Optional.of(error("task.failed", record, error));
      case TaskRecord.TaskStatus.Rejected(_, var error) ->
          Optional.of(error("task.failed", record, error));
      case TaskRecord.TaskStatus.Handled(var error, _) ->
          Optional.of(error("task.handled", record, error));
      case TaskRecord.TaskStatus.Interrupted(var interrupt) ->
          Optional.of(
              Event.of(
                  "task.interrupted",
                  record.key(),
                  ObjectValue.of("interrupt_id", interrupt.id())
                      .plus("reason", interrupt.reason())));
      case TaskRecord.TaskStatus.Child(var run, var start) ->
          start.map(it ->
              Event.of(
                  "task.child_started",
                  record.key(),
                  ObjectValue.of("run_id", Tenant.shown(run))
                      .plus("graph", Tenant.shown(it.header().graph()))
                      .plus("version", it.header().version())));
      case TaskRecord.TaskStatus.Cancelled _ ->
          record.attempts() == 0
              ? Optional.empty()
              : Optional.of(Event.of("task.cancelled", record.key(), ObjectValue.empty()));
      case TaskRecord.TaskStatus.Done _ ->
          record.runFailure().map(it -> error("task.failed", record, it));
      case TaskRecord.TaskStatus.Waiting _,
          TaskRecord.TaskStatus.AtWorker _,
          TaskRecord.TaskStatus.Open _ ->
          Optional.empty();
    };
  }

  private static Event error(String type, TaskRecord record, TaskError error) {
    return Event.of(type, record.key(), error(error));
  }

  /// The data of the event that reports this error.
  public static ObjectValue error(TaskError error) {
    return ObjectValue.of("code", error.code()).plus("message", error.message());
  }

  /// The events of a committed superstep.
  public static List<Event> committed(
      int superstep, SuperstepResult.Complete complete, List<OpenTask> openTasks) {
    var events = new ArrayList<Event>(4);
    for (int i = 0; i < openTasks.size(); i++) {
      if (!openTasks.get(i).isAnnounced()) {
        of(complete.records().get(i)).ifPresent(events::add);
      }
    }
    complete.records().forEach(it -> append(it, events));
    for (int i = 0; i < openTasks.size(); i++) {
      compacted(superstep, openTasks.get(i), complete.records().get(i), events);
    }
    for (var channel : complete.effects().conflicts()) {
      events.add(Event.of("channel.conflict", superstep, ObjectValue.of("channel", channel)));
    }
    events.addAll(complete.effects().notTaken());
    events.addAll(Intake.events(complete.records()));
    events.add(Event.of("superstep.committed", superstep, summary(complete)));
    return events;
  }

  /// A task's custom events, in its order; none if its result could not be used.
  private static void append(TaskRecord record, List<Event> events) {
    if (!(record.status() instanceof TaskRecord.TaskStatus.Done(var result))) {
      return;
    }
    for (int i = 0; i < result.events().size(); i++) {
      events.add(Event.of(CustomEvent.TYPE, record.key(), result.events().get(i).stored(i)));
    }
  }

  /// Whether each summary that a task made was used or dropped.
  private static void compacted(
      int superstep, OpenTask openTask, TaskRecord reduced, List<Event> events) {
    var record = openTask.record();
    if (record == null) {
      return;
    }
    var kept = Compactions.cuts(reduced);
    for (var listCompaction : Compactions.cuts(record)) {
      var type = kept.contains(listCompaction) ? "channel.compacted" : "channel.compaction_dropped";
      var data =
          ObjectValue.of("channel", listCompaction.channel())
              .plus("replaced", listCompaction.count())
              .plus("task", record.key().toString());
      events.add(Event.of(type, superstep, data));
    }
  }

  /// Variables of the prompt context that several tasks set (P3).
  public static List<Event> contextConflicts(int superstep, SuperstepResult.Complete complete) {
    return ContextFold.conflicts(complete.records()).stream()
        .map(it -> Event.of("context.conflict", superstep, ObjectValue.of("key", it)))
        .toList();
  }

  private static ObjectValue summary(SuperstepResult.Complete complete) {
    return ObjectValue.builder()
        .put("channels", texts(complete.effects().touched()))
        .put("next", texts(nodes(complete.pending())))
        .put("tasks", Intake.tasks(complete.records()))
        .build();
  }

  private static Collection<String> nodes(Pending pending) {
    var activations = pending.activations();
    if (activations.size() == 1) {
      return List.of(activations.getFirst().node().value());
    }
    var nodes = new LinkedHashSet<String>();
    activations.forEach(it -> nodes.add(it.node().value()));
    return nodes;
  }

  private static ListValue texts(Collection<String> texts) {
    var list = ListValue.builder();
    texts.forEach(it -> list.add(Value.of(it)));
    return list.build();
  }
}
