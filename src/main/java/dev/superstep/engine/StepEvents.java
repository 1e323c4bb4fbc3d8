package dev.superstep.engine;

import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// The stored events of a superstep.
final class StepEvents {
  private StepEvents() {}

  /// The event of a task that failed or asks, or began a run; once for each record.
  static Optional<Event> announce(Slot slot) {
    var record = slot.record();
    if (slot.isAnnounced() || record == null) {
      return Optional.empty();
    }
    slot.announce();
    return of(record);
  }

  static Optional<Event> of(TaskRecord record) {
    return switch (record.ending()) {
      case TaskRecord.Ending.Failed(var error) -> Optional.of(error("task.failed", record, error));
      case TaskRecord.Ending.Rejected(_, var error) ->
          Optional.of(error("task.failed", record, error));
      case TaskRecord.Ending.Handled(var error, _) ->
          Optional.of(error("task.handled", record, error));
      case TaskRecord.Ending.Interrupted(var interrupt) ->
          Optional.of(
              Event.of(
                  "task.interrupted",
                  record.key(),
                  ObjectValue.of("interrupt_id", Value.of(interrupt.id()))
                      .plus("reason", Value.of(interrupt.reason()))));
      case TaskRecord.Ending.Child(var run, var start) ->
          start.map(it ->
              Event.of(
                  "task.child_started",
                  record.key(),
                  ObjectValue.of("run_id", Value.of(run))
                      .plus("graph", Value.of(it.header().graph()))
                      .plus("version", Value.of((long) it.header().version()))));
      case TaskRecord.Ending.Done _, TaskRecord.Ending.Waiting _, TaskRecord.Ending.Open _ ->
          Optional.empty();
    };
  }

  private static Event error(String type, TaskRecord record, TaskError error) {
    return Event.of(type, record.key(), Endings.error(error));
  }

  /// What a committed superstep reports.
  static List<Event> committed(int superstep, Settled.Complete settled, List<Slot> slots) {
    var events = new ArrayList<Event>(4);
    for (int i = 0; i < slots.size(); i++) {
      if (!slots.get(i).isAnnounced()) {
        of(settled.records().get(i)).ifPresent(events::add);
      }
    }
    settled.records().forEach(it -> told(it, events));
    for (int i = 0; i < slots.size(); i++) {
      compacted(superstep, slots.get(i), settled.records().get(i), events);
    }
    for (var channel : settled.effects().conflicts()) {
      events.add(
          Event.of("channel.conflict", superstep, ObjectValue.of("channel", Value.of(channel))));
    }
    events.addAll(settled.effects().notTaken());
    events.add(Event.of("superstep.committed", superstep, summary(settled)));
    return events;
  }

  /// What a task itself tells of, in its order. A result that could not be used tells nothing.
  private static void told(TaskRecord record, List<Event> events) {
    if (!(record.ending() instanceof TaskRecord.Ending.Done(var result))) {
      return;
    }
    for (int i = 0; i < result.events().size(); i++) {
      events.add(Event.of(CustomEvent.TYPE, record.key(), result.events().get(i).stored(i)));
    }
  }

  /// What became of the summaries that a task made.
  private static void compacted(int superstep, Slot slot, TaskRecord settled, List<Event> events) {
    var record = slot.record();
    if (record == null) {
      return;
    }
    var kept = Compactions.cuts(settled);
    for (var cut : Compactions.cuts(record)) {
      var type = kept.contains(cut) ? "channel.compacted" : "channel.compaction_dropped";
      var data =
          ObjectValue.of("channel", Value.of(cut.channel()))
              .plus("replaced", Value.of(cut.count()))
              .plus("task", Value.of(record.key().toString()));
      events.add(Event.of(type, superstep, data));
    }
  }

  /// Variables of the prompt context that several tasks set (P3).
  static List<Event> contextConflicts(int superstep, Settled.Complete settled) {
    return ContextFold.conflicts(settled.records()).stream()
        .map(it -> Event.of("context.conflict", superstep, ObjectValue.of("key", Value.of(it))))
        .toList();
  }

  private static ObjectValue summary(Settled.Complete settled) {
    return ObjectValue.builder()
        .put("channels", texts(settled.effects().touched()))
        .put("next", texts(nodes(settled.pending())))
        .put("tasks", Value.of(settled.records().size()))
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
