package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The messages that the commit of a superstep takes (E49), in their sequence. Each becomes a
/// record of the superstep behind those of its tasks: whatever replays, verifies or copies
/// checkpoints folds it as it folds what tasks did.
///
/// @param pending behind the superstep: the node of the inbox stands in for the end
record Intake(List<InboxMessage> messages, Pending pending) {

  /// @param end what the superstep has ended with
  /// @param records of its tasks
  /// @param next what they leave pending
  /// @param open channels of messages in which a model has called tools that have not answered:
  ///   what is for them, and what is behind that, waits until they have, or the run would end
  static Intake of(
      InboxPolicy policy,
      SuperstepReducer.SuperstepEnd end,
      List<TaskRecord> records,
      Pending next,
      Predicate<String> open) {
    var waiting = end.messages();
    if (waiting.isEmpty() || fails(records)) {
      return new Intake(List.of(), next);
    }
    boolean ends = next.isEnd() || next.activations().isEmpty();
    var ready = waiting.stream().takeWhile(it -> !open.test(it.channel())).toList();
    if (policy.node().isEmpty()) {
      return new Intake(ends ? last(waiting, next) : atOnce(policy, ready), next);
    }
    if (ends || end.closedQuestions()) {
      var node = new Activation.Plain(policy.node().get());
      return new Intake(atOnce(policy, waiting), next.leadingTo(node));
    }
    return new Intake(
        policy.at() == InboxPolicy.At.END_OF_TURN ? List.of() : atOnce(policy, ready), next);
  }

  /// Whether a run that has nothing left to run takes any of these.
  static boolean takesAtEnd(InboxPolicy policy, List<InboxMessage> waiting) {
    return policy.node().isPresent() ? !waiting.isEmpty() : !untilLast(waiting).isEmpty();
  }

  private static boolean fails(List<TaskRecord> records) {
    return records.stream().anyMatch(it -> it.runFailure().isPresent());
  }

  /// No node sees them any more: they are part of the final state, but for those at the end that
  /// are to begin another run. A run that fails keeps them until it goes on.
  private static List<InboxMessage> last(List<InboxMessage> waiting, Pending next) {
    return next.isEnd() ? untilLast(waiting) : List.of();
  }

  private static List<InboxMessage> untilLast(List<InboxMessage> waiting) {
    int count = waiting.size();
    while (count > 0 && waiting.get(count - 1).ifUntaken() == InboxMessage.IfUntaken.START) {
      count--;
    }
    return waiting.subList(0, count);
  }

  private static List<InboxMessage> atOnce(InboxPolicy policy, List<InboxMessage> waiting) {
    if (waiting.isEmpty()) {
      return waiting;
    }
    return switch (policy.atOnce()) {
      case ALL -> waiting;
      case ONE -> List.of(waiting.getFirst());
    };
  }

  /// The record of a message that has been folded, or could not be.
  static TaskRecord record(int superstep, InboxMessage message, Optional<TaskError> refusal) {
    var result = NodeResult.of(change(message));
    return new TaskRecord(
        new TaskKey(superstep, NodeId.INBOX, message.id()),
        1,
        0,
        TaskRecord.TaskQuestions.NOTHING,
        refusal
            .<TaskRecord.TaskStatus>map(it -> new TaskRecord.TaskStatus.Rejected(result, it))
            .orElseGet(() -> new TaskRecord.TaskStatus.Done(result)),
        message.sentAt(),
        message.sentAt(),
        TaskRecord.Left.NOTHING);
  }

  static Change change(InboxMessage message) {
    return Change.update(message.channel(), message.value());
  }

  /// The events that say into which superstep messages went.
  static List<Event> events(List<TaskRecord> records) {
    if (!TaskRecord.haveMessages(records)) {
      return List.of();
    }
    var events = new ArrayList<Event>();
    for (var record : records) {
      if (record.isMessage()) {
        events.add(event(record));
      }
    }
    return events;
  }

  /// How many of the records are of tasks.
  static long tasks(List<TaskRecord> records) {
    return TaskRecord.haveMessages(records)
        ? records.stream().filter(it -> !it.isMessage()).count()
        : records.size();
  }

  private static Event event(TaskRecord record) {
    var id = record.key().dispatchId();
    var data = ObjectValue.of("message_id", id == null ? "" : id);
    return record.ended() instanceof TaskRecord.TaskStatus.Rejected(_, var error)
        ? Event.of(
            "message.rejected", record.key().superstep(), data.plusAll(TaskEvents.error(error)))
        : Event.of("message.taken", record.key().superstep(), data);
  }
}
