package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.MergeFunction;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Plays a driver towards a store: it makes the commits of a run of two nodes, `a` and `b`, without
/// running anything. Channel `log` appends, `joined` has a user's merge, the others are plain.
public final class SampleRun {
  /// Of a task that has asked one question, without a change.
  public static final TaskRecord.TaskQuestions ASKED_ONCE =
      new TaskRecord.TaskQuestions(1, List.of(), Optional.empty());

  public static final NodeId A = new NodeId("a");
  public static final NodeId B = new NodeId("b");
  public static final Instant THEN = Instant.parse("2026-01-02T03:04:05.678901Z");
  private static final Pending NEXT =
      new Pending(List.of(new Activation.Plain(A)), Map.of(), false, 0);

  public final RunHeader header;
  public final Graph graph;
  private final Optional<PromptContext> context;
  private Instant now = THEN;
  private Checkpoint last;

  public SampleRun(String id, MergeFunction merge, Optional<PromptContext> context) {
    this(TestRunHeader.of(id, "sample", 3, 0, ObjectValue.empty()), merge, context);
  }

  private SampleRun(RunHeader header, MergeFunction merge, Optional<PromptContext> context) {
    this.context = context;
    this.header = header;
    graph =
        new Graph(
            Channels.of(
                List.of(
                    Channel.of("log", new Reducer.Append()),
                    Channel.of("joined", new Reducer.Custom("join", merge)))),
            List.of(node(A), node(B)),
            List.of(),
            Graph.GraphSettings.DEFAULT);
    last = first().after();
  }

  public static SampleRun of(String id) {
    return new SampleRun(id, (left, _) -> left, Optional.empty());
  }

  /// A run that keeps a prompt context.
  public static SampleRun withContext(String id) {
    return new SampleRun(id, (left, _) -> left, Optional.of(PromptContext.EMPTY));
  }

  private static Node node(NodeId id) {
    return new Node(id, "function", ObjectValue.empty(), Node.Policy.DEFAULT, Node.Routing.DEFAULT);
  }

  public String id() {
    return header.id();
  }

  public Checkpoint last() {
    return last;
  }

  /// The clock of its driver, which the next commits are stamped by.
  public void passTo(Instant time) {
    now = time;
  }

  public int open() {
    return last.superstep() + 1;
  }

  /// The first checkpoint: `topic` is in the state, `a` is pending.
  public Commit.Write first() {
    var edit = Change.update("topic", Value.of("cats"));
    var state = GraphState.of(edit.update());
    return write(CheckpointKind.INPUT, 0, state, Optional.of(edit));
  }

  private Commit.Write write(
      CheckpointKind kind, int number, GraphState state, Optional<Change> edit) {
    var stamp = new Checkpoint.Stamp(number, kind, 0, THEN);
    var after = new Checkpoint(stamp, state, context, NEXT, Map.of(), 0);
    return new Commit.Write(after, new Commit.Delta(List.of(), edit, Map.of()));
  }

  public TaskKey task(NodeId node) {
    return new TaskKey(open(), node, null);
  }

  public TaskRecord record(TaskKey key, TaskStatus taskStatus, ObjectValue parts) {
    return new TaskRecord(
        key,
        1,
        0,
        TaskRecord.TaskQuestions.NOTHING,
        taskStatus,
        THEN,
        THEN.plusMillis(5),
        new TaskRecord.Left(parts, new Usage(1, 20, 3)));
  }

  public TaskRecord record(TaskKey key, TaskStatus taskStatus) {
    return new TaskRecord(
        key,
        1,
        0,
        TaskRecord.TaskQuestions.NOTHING,
        taskStatus,
        THEN,
        THEN.plusMillis(5),
        TaskRecord.Left.NOTHING);
  }

  public TaskRecord done(TaskKey key, String item) {
    return record(key, new TaskStatus.Done(NodeResult.of(Change.update("log", Value.of(item)))));
  }

  public TaskRecord asks(TaskKey key, String interrupt) {
    var question =
        new TaskRecord.Interrupt(
            interrupt,
            "need_approval",
            ObjectValue.of("question", Value.of("publish?")),
            Optional.of(ObjectValue.of("type", Value.of("boolean"))),
            THEN,
            Optional.empty(),
            Optional.empty());
    return new TaskRecord(
        key,
        1,
        0,
        ASKED_ONCE,
        new TaskStatus.Interrupted(question),
        THEN,
        THEN.plusMillis(5),
        TaskRecord.Left.NOTHING);
  }

  /// Commits the open superstep with these records.
  public Commit step(TaskRecord... records) {
    return step(NEXT, records);
  }

  public Commit step(Pending next, TaskRecord... records) {
    return advance(CheckpointKind.STEP, RunStatus.RUNNING, next, records);
  }

  /// Commits the open superstep with one task that appends `item`.
  public Commit step(String item) {
    return step(done(task(A), item));
  }

  public Commit finish(TaskRecord... records) {
    var end = new Pending(List.of(new Activation.Plain(NodeId.END)), Map.of(), true, 0);
    return advance(CheckpointKind.FINAL, RunStatus.SUCCEEDED, end, records);
  }

  private Commit advance(
      CheckpointKind kind, RunStatus status, Pending next, TaskRecord... records) {
    var fold = Fold.over(graph.channels(), last.state());
    for (var record : records) {
      fold.apply(record.changes())
          .ifPresent(it -> {
            throw new IllegalStateException(it.message());
          });
    }
    var stamp = new Checkpoint.Stamp(last.number() + 1, kind, open(), now);
    var after = new Checkpoint(stamp, fold.state(), folded(records), next, Map.of(), 0);
    var delta = new Commit.Delta(List.of(records), Optional.empty(), fold.opaque());
    var event =
        Event.of(
            "superstep.committed",
            open(),
            ObjectValue.of("tasks", Value.of((long) records.length)));
    return commit(new Commit.Write(after, delta), head(status), List.of(event), 0);
  }

  private Optional<PromptContext> folded(TaskRecord... records) {
    return last.context().map(it -> new ContextFold(graph, 0).fold(it, List.of(records), THEN));
  }

  /// Edits the state between supersteps.
  public Commit.Write edit(Change change) {
    var fold = Fold.over(graph.channels(), last.state());
    if (fold.apply(List.of(change)).isPresent()) {
      throw new IllegalStateException("the edit does not fit");
    }
    var stamp =
        new Checkpoint.Stamp(last.number() + 1, CheckpointKind.UPDATE, last.superstep(), THEN);
    last =
        new Checkpoint(
            stamp, fold.state(), last.context(), last.pending(), last.held(), last.edits() + 1);
    return new Commit.Write(last, new Commit.Delta(List.of(), Optional.of(change), fold.opaque()));
  }

  /// Holds the open superstep.
  public Commit hold(RunStatus status, int answersSeen, TaskRecord... records) {
    var held = new HashMap<>(last.held());
    for (var record : records) {
      held.put(record.key(), record);
    }
    var stamp = new Checkpoint.Stamp(last.number() + 1, CheckpointKind.HELD, last.superstep(), now);
    var after =
        new Checkpoint(stamp, last.state(), last.context(), last.pending(), held, last.edits());
    var delta = new Commit.Delta(List.of(records), Optional.empty(), Map.of());
    var event = Event.of("run." + status.name().toLowerCase(Locale.ROOT), ObjectValue.empty());
    return commit(new Commit.Write(after, delta), head(status), List.of(event), answersSeen);
  }

  private Commit commit(Commit.Write write, RunHead runHead, List<Event> events, int answersSeen) {
    int parent = last.number();
    last = write.after();
    return new Commit(parent, Optional.of(write), runHead, events, answersSeen);
  }

  /// Gives the history entries of the last commit its time, as a driver does.
  public void committedAt(Instant at) {
    last =
        new Checkpoint(
            last.stamp(),
            last.state(),
            last.context().map(it -> it.retimed(it.times().size() - 1, at.toString())),
            last.pending(),
            last.held(),
            last.edits());
  }

  /// Changes nothing but the head.
  public Commit onlyHead(RunHead runHead, String event) {
    return new Commit(
        last.number(), Optional.empty(), runHead, List.of(Event.of(event, ObjectValue.empty())), 0);
  }

  public RunHead head(RunStatus status) {
    return new RunHead(
        status,
        last.superstep(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        RunHead.Passed.NONE,
        Duration.ofMillis(17));
  }

  /// Goes on from what a claim has loaded.
  public void continueFrom(LoadedRun image) {
    last = image.checkpoint();
  }

  /// `node` dispatched `count` times, and a join half arrived.
  public static Pending fanOut(int count) {
    var activations = new ArrayList<Activation>();
    activations.add(new Activation.Plain(A));
    for (int i = 0; i < count; i++) {
      activations.add(
          new Activation.Sent(
              new Dispatch(
                  "d" + i,
                  B,
                  ObjectValue.of("topic", ListValue.texts("t" + i)),
                  ObjectValue.of("place", Value.of((long) i)))));
    }
    return new Pending(activations, Map.of("join", Set.of(A)), true, count);
  }
}
