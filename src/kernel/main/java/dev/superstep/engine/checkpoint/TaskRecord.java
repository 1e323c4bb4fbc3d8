package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.Spending;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The stored record of a task, before and after the commit of its superstep.
///
/// @param attempts started so far since the last claim or resume
/// @param generation grows with every answer (E40)
/// @param questions its questions to people
/// @param left what its attempts have left behind, ended or not
public record TaskRecord(
    TaskKey key,
    int attempts,
    int generation,
    TaskQuestions questions,
    TaskStatus status,
    Instant startedAt,
    Instant finishedAt,
    Left left) {

  /// The questions of a task and their answers.
  ///
  /// @param count questions so far: the ordinal in the next interrupt's id (E35)
  /// @param heldChanges changes that came with them, oldest first (E36)
  /// @param answer the one that the next attempt is to see: it has been given, and the attempt that
  ///   saw it failed or waits for another
  public record TaskQuestions(int count, List<Change> heldChanges, Optional<Resume> answer) {
    public static final TaskQuestions NOTHING = new TaskQuestions(0, List.of(), Optional.empty());

    public TaskQuestions {
      heldChanges = List.copyOf(heldChanges);
    }
  }

  /// The data that outlives an attempt.
  ///
  /// @param parts side effects that attempts have recorded so far ([SideEffects]), by name; `{}`
  ///   once the task is done
  /// @param spent on models by all attempts
  public record Left(ObjectValue parts, Usage spent) {
    public static final Left NOTHING = new Left(ObjectValue.empty(), Usage.NOTHING);

    private Left withoutChild() {
      return new Left(ChildRef.removedFrom(parts), spent);
    }

    private Left withoutWorker() {
      return new Left(CallbackRef.removedFrom(WorkerRef.removedFrom(parts)), spent);
    }

    private Left withoutParts() {
      return new Left(ObjectValue.empty(), spent);
    }
  }

  public ObjectValue parts() {
    return left.parts();
  }

  public Usage spent() {
    return left.spent();
  }

  public int interrupts() {
    return questions.count();
  }

  /// Whether it is a message to the run, which this superstep has taken (E49).
  public boolean isMessage() {
    return key.node().equals(NodeId.INBOX);
  }

  /// Whether there are messages among the records of a superstep: they are the last.
  public static boolean haveMessages(List<TaskRecord> records) {
    return !records.isEmpty() && records.getLast().isMessage();
  }

  public List<Change> heldChanges() {
    return questions.heldChanges();
  }

  /// What this task adds to the state, in order: the held changes and its result's. Empty unless it
  /// is done. Folding them in task order over the state before gives the state after (E45).
  public List<Change> changes() {
    return switch (status) {
      case TaskStatus.Done(var result) -> withHeld(result.change());
      case TaskStatus.Handled(_, var result) -> nonEmpty(result.change());
      case TaskStatus.Rejected _,
          TaskStatus.Failed _,
          TaskStatus.Cancelled _,
          TaskStatus.Unfinished _ ->
          List.of();
    };
  }

  /// The error that the run ends with because of this task; empty if it goes on.
  public Optional<TaskError> runFailure() {
    return status instanceof TaskStatus.Done(var result)
        ? Optional.ofNullable(result.runFailure())
        : Optional.empty();
  }

  public TaskRecord with(TaskStatus changed) {
    var kept = changed instanceof TaskStatus.Handled ? left.withoutParts() : left;
    return new TaskRecord(
        key, attempts, generation, questions, changed, startedAt, finishedAt, kept);
  }

  /// The record as the run of this birth id can go on with it. What another run was copied from
  /// names the child, the worker's task and the question of that one: the run begins and queues its
  /// own, and asks under an id of its own.
  public TaskRecord ownedBy(BirthId birthId) {
    if (status instanceof TaskStatus.AtWorker(var task, _)
        && !WorkerRef.isOf(birthId, key, task, parts())
        && !CallbackRef.isOf(birthId, key, task, parts())) {
      return new TaskRecord(
          key,
          attempts,
          generation,
          questions,
          new TaskStatus.Open(),
          startedAt,
          finishedAt,
          left.withoutWorker());
    }
    if (status instanceof TaskStatus.Interrupted(var interrupt)) {
      int ordinal = questions.count() - 1;
      return birthId.hasAsked(interrupt.id(), key, ordinal)
          ? this
          : with(new TaskStatus.Interrupted(interrupt.with(birthId.interrupt(key, ordinal))));
    }
    return ChildRef.of(this).map(it -> it.isOf(birthId, key)).orElse(true) ? this : childless();
  }

  private TaskRecord childless() {
    var before = status instanceof TaskStatus.Child ? new TaskStatus.Open() : status;
    return new TaskRecord(
        key, attempts, generation, questions, before, startedAt, finishedAt, left.withoutChild());
  }

  private List<Change> withHeld(Change change) {
    if (heldChanges().isEmpty()) {
      return nonEmpty(change);
    }
    var all = new ArrayList<>(heldChanges());
    all.add(change);
    return all;
  }

  private static List<Change> nonEmpty(Change change) {
    return change.isEmpty() ? List.of() : List.of(change);
  }

  /// How the task has ended.
  ///
  /// @throws IllegalStateException if it has not
  public TaskStatus.Ended ended() {
    if (status instanceof TaskStatus.Ended ended) {
      return ended;
    }
    throw new IllegalStateException("%s has not ended".formatted(key));
  }

  /// The status of a task: it has ended, or it is unfinished.
  public sealed interface TaskStatus {

    /// Nothing is left to run, unless the failure is released or resolved.
    sealed interface Ended extends TaskStatus {}

    /// The task runs, or will run again when what it waits for is there.
    sealed interface Unfinished extends TaskStatus {}

    record Done(NodeResult result) implements Ended {}

    record Failed(TaskError error) implements Ended {}

    /// Done, but its result could not be folded or routed (E20, E25). The node is never called
    /// again for that: once released, fold and routing are redone from `result`.
    record Rejected(NodeResult result, TaskError error) implements Ended {}

    /// A failure that an error edge or `on_error: continue` took care of (E32): the task counts as
    /// done, its held changes are dropped.
    ///
    /// @param result what the error edge adds: `error_to` and the prompt variables `error.*`
    record Handled(TaskError error, NodeResult result) implements Ended {}

    /// The policy of the dispatches that it belongs to was decided before it had ended (E54).
    record Cancelled() implements Ended {}

    /// It runs, and has recorded side effects. A later claim keeps them, although the attempt is
    /// lost.
    record Open() implements Unfinished {}

    record Interrupted(Interrupt interrupt) implements Unfinished {}

    /// Sleeping until `dueAt`, before another attempt or because the node asked for it.
    record Waiting(Instant dueAt, Why why) implements Unfinished {}

    /// Waiting for a run of its own (E41).
    ///
    /// @param start empty once it has been read back: it is stored as the child itself
    record Child(String run, Optional<ChildStart> start) implements Unfinished {}

    /// Waiting for a worker (E52), or for a callback (E51).
    ///
    /// @param start empty for a callback, and once it has been read back: it is stored as the row
    ///   of the task
    record AtWorker(String task, Optional<WorkerStart> start) implements Unfinished {}
  }

  public enum Why {
    RETRY,
    SLEEP,
    /// For its turn at something that it shares with others. Its attempt does not count.
    TURN
  }

  /// A question that waits for an answer.
  ///
  /// @param id derives from the birth id of the run, the task key and the ordinal (E35)
  public record Interrupt(
      String id,
      String reason,
      Value payload,
      Optional<Value> schema,
      Instant createdAt,
      Optional<Instant> expiresAt,
      Optional<Value> defaultAnswer,
      MayAnswer mayAnswer,
      Addressees addressees) {

    /// One that anybody may answer.
    public Interrupt(
        String id,
        String reason,
        Value payload,
        Optional<Value> schema,
        Instant createdAt,
        Optional<Instant> expiresAt,
        Optional<Value> defaultAnswer) {
      this(
          id,
          reason,
          payload,
          schema,
          createdAt,
          expiresAt,
          defaultAnswer,
          MayAnswer.ANYBODY,
          Addressees.NONE);
    }

    public Interrupt by(MayAnswer who) {
      return new Interrupt(
          id, reason, payload, schema, createdAt, expiresAt, defaultAnswer, who, addressees);
    }

    public Interrupt to(Addressees whom) {
      return new Interrupt(
          id, reason, payload, schema, createdAt, expiresAt, defaultAnswer, mayAnswer, whom);
    }

    private Interrupt with(String changed) {
      return new Interrupt(
          changed,
          reason,
          payload,
          schema,
          createdAt,
          expiresAt,
          defaultAnswer,
          mayAnswer,
          addressees);
    }
  }

  /// What was spent before, and what these tasks have spent, each counted once.
  public static Spending spending(Spending before, Collection<TaskRecord> tasks) {
    Map<NodeId, Usage> sum = null;
    for (var task : tasks) {
      if (!task.spent().isNothing()) {
        sum = sum == null ? new HashMap<>(before.nodes()) : sum;
        sum.merge(task.key().node(), task.spent(), Usage::plus);
      }
    }
    return sum == null ? before : new Spending(sum);
  }
}
