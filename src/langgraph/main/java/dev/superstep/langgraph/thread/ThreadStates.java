package dev.superstep.langgraph.thread;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.compute.RequestWork;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.graph.NodeId;
import dev.superstep.langgraph.Containment;
import dev.superstep.langgraph.GraphMessages;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.TaskIds;
import dev.superstep.langgraph.thread.StateSnapshot.SnapshotHead;
import dev.superstep.langgraph.thread.StateSnapshot.TaskSnapshot;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.run.ThreadCheckpoint.CheckpointPosition;
import dev.superstep.run.ThreadCheckpointId;
import dev.superstep.run.ThreadQueries;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/// Reads the states of threads as clients see them: values, what is next, tasks with their
/// questions. Each answer is of one moment.
@Service
@OnLangGraph
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
public class ThreadStates {
  /// Most checkpoints that one search by metadata looks into.
  static final int LOOKED_MAX = 1_000;

  private static final int PAGE = 100;
  private final ThreadQueries threads;
  private final RunQueries runs;
  private final GraphMessages graphs;
  private final TaskStates tasks;
  private final RunNaming naming;

  ThreadStates(
      ThreadQueries threads,
      RunQueries runs,
      GraphMessages graphs,
      TaskStates tasks,
      RunNaming naming) {
    this.threads = threads;
    this.runs = runs;
    this.graphs = graphs;
    this.tasks = tasks;
    this.naming = naming;
  }

  /// The newest state of the thread; empty if nothing is committed. Beside a question it shows what
  /// the tasks that have ended have changed, and what is next without them; a state that is found
  /// by its id is the committed one.
  public Optional<StateSnapshot> newest(String thread) {
    return threads.history(thread, Optional.empty(), 1).stream()
        .findFirst()
        .map(it ->
            states(thread, List.of(new ShownCheckpoint(it, false)), Moment.NEWEST).getFirst());
  }

  /// @throws ServiceException `checkpoint_not_found`
  StateSnapshot at(String thread, String checkpoint) {
    return states(thread, List.of(find(thread, checkpoint)), Moment.STORED).getFirst();
  }

  /// @param checkpoint id as clients know it
  /// @throws ServiceException `checkpoint_not_found`
  public ShownCheckpoint find(String thread, String checkpoint) {
    var id = ThreadCheckpointId.parse(checkpoint).orElseThrow(() -> notFound(thread, checkpoint));
    return ShownCheckpoint.of(threads.checkpoint(thread, id), id);
  }

  private static ServiceException notFound(String thread, String checkpoint) {
    return new ServiceException(
        ErrorCode.CHECKPOINT_NOT_FOUND,
        "thread '%s' has no checkpoint '%s'".formatted(thread, checkpoint));
  }

  /// The states of all branches, newest first.
  ///
  /// @param before checkpoint id; only older ones
  /// @param metadata contained in that of the state
  /// @throws ServiceException `limit_exceeded` if more would have to be looked into, or if the
  ///   answer would be larger, than one call may cost
  List<ObjectValue> history(
      String thread, Optional<String> before, ObjectValue metadata, int limit) {
    var from = before.map(it -> find(thread, it));
    var found = new FoundState(thread, metadata, limit);
    from.filter(it -> !it.beforeInput() && it.stored().kind() == CheckpointKind.INPUT)
        .ifPresent(it -> add(List.of(new ShownCheckpoint(it.stored(), true)), found));
    var place = from.map(ShownCheckpoint::id);
    int size = metadata.isEmpty() ? limit : Math.max(limit, PAGE);
    int looked = 0;
    while (!found.isFull()) {
      if (looked >= LOOKED_MAX) {
        throw tooMany();
      }
      var page = threads.history(thread, place, size);
      add(page.stream().flatMap(it -> ShownCheckpoint.of(it).stream()).toList(), found);
      if (page.size() < size || metadata.isEmpty()) {
        break;
      }
      looked += page.size();
      place = Optional.of(page.getLast().position().id());
    }
    return List.copyOf(found.states());
  }

  /// What a history has come to.
  private record FoundState(
      String thread,
      ObjectValue metadata,
      int limit,
      List<ObjectValue> states,
      AnswerSize size,
      RequestWork work) {
    FoundState(String thread, ObjectValue metadata, int limit) {
      this(thread, metadata, limit, new ArrayList<>(), new AnswerSize(), RequestWork.current());
    }

    boolean isFull() {
      return states.size() >= limit;
    }
  }

  private static ServiceException tooMany() {
    return ServiceException.at(
        "/metadata",
        ErrorCode.LIMIT_EXCEEDED,
        "more than %d checkpoints would have to be looked into; go on from an older one with before"
            .formatted(LOOKED_MAX));
  }

  /// States are built only if their metadata match.
  private void add(List<ShownCheckpoint> shown, FoundState found) {
    var heads = new SnapshotHeads(found.thread(), shown);
    for (var it : shown) {
      if (found.isFull()) {
        return;
      }
      var head = heads.of(it);
      if (Containment.contains(head.metadata(), found.metadata(), found.work())) {
        found.states().add(found.size().add(state(head, heads.run(it), Moment.STORED).json()));
      }
    }
  }

  /// What a committed checkpoint was for these clients when it was committed, oldest first: two
  /// states if it is the first of a run with an input; none if the thread does not have it.
  public List<StateSnapshot> of(String thread, CheckpointRef at) {
    return threads
        .checkpoint(thread, at)
        .map(it -> states(thread, ShownCheckpoint.of(it), Moment.COMMITTED).reversed())
        .orElse(List.of());
  }

  /// How many steps of the thread lead to a run of it.
  public int stepsBefore(String thread, String run) {
    return threads.steps(thread, List.of(run)).getOrDefault(run, 0);
  }

  private List<StateSnapshot> states(String thread, List<ShownCheckpoint> shown, Moment moment) {
    var heads = new SnapshotHeads(thread, shown);
    return shown.stream().map(it -> state(heads.of(it), heads.run(it), moment)).toList();
  }

  /// What is read once for several states of a thread.
  private final class SnapshotHeads {
    private final String thread;
    private final Map<String, Integer> steps;
    private final Map<String, RunSummary> known = new HashMap<>();

    SnapshotHeads(String thread, List<ShownCheckpoint> shown) {
      this.thread = thread;
      steps =
          threads.steps(
              thread,
              shown.stream().map(it -> it.stored().position().at().run()).distinct().toList());
    }

    RunSummary run(ShownCheckpoint shown) {
      return known.computeIfAbsent(shown.stored().position().at().run(), runs::summary);
    }

    SnapshotHead of(ShownCheckpoint shown) {
      var at = shown.stored().position().at();
      int first = steps.getOrDefault(at.run(), 0);
      int step = shown.beforeInput() ? first - 1 : first + shown.stored().superstep();
      return new SnapshotHead(thread, shown, names(run(shown), at.checkpoint()), step);
    }
  }

  private ObjectValue names(RunSummary run, int checkpoint) {
    var named = naming.name(run, checkpoint);
    return named
        .metadata()
        .plus("run_id", Tenant.shown(named.run()))
        .plus(ThreadLabels.GRAPH, Tenant.shown(run.origin().graph()))
        .plus(ThreadLabels.ASSISTANT, Tenant.shown(named.assistant()));
  }

  /// What of the tasks behind a checkpoint is shown.
  private enum Moment {
    /// Nothing: it has just been committed.
    COMMITTED,
    /// Their questions, errors and results.
    STORED,
    /// These, and in the values what has ended.
    NEWEST
  }

  private StateSnapshot state(SnapshotHead head, RunSummary run, Moment moment) {
    var stored = head.shown().stored();
    if (head.shown().beforeInput()) {
      return new StateSnapshot(
          head,
          valuesOf(head.thread(), stored.parent()),
          List.of(NodeId.START.value()),
          List.of(TaskStates.input(run)));
    }
    var at = stored.position().at();
    var view = runs.checkpoint(at.run(), at.checkpoint());
    var origin = run.origin();
    var channels = graphs.of(origin.graph(), origin.version());
    if (moment == Moment.COMMITTED) {
      var values = channels.toWire(view.state());
      return state(head, values, TaskStates.committed(run, view), Set.of());
    }
    var ended = new HashMap<String, Value>();
    for (var end : tasks.ended(run, view)) {
      ended.put(TaskIds.of(run.id(), end.task()), channels.toWire(end.last()));
    }
    var pending = tasks.pending(run, view, ended);
    if (moment == Moment.NEWEST && !ended.isEmpty()) {
      var values = channels.toWire(runs.stateWithPending(run.id(), Optional.empty()));
      return state(head, values, pending, ended.keySet());
    }
    return state(head, channels.toWire(view.state()), pending, Set.of());
  }

  /// @param ended ids of tasks that have ended: they are not next
  private static StateSnapshot state(
      SnapshotHead head, ObjectValue values, List<TaskSnapshot> tasks, Set<String> ended) {
    var next =
        tasks.stream().filter(it -> !ended.contains(it.id())).map(TaskSnapshot::name).toList();
    return new StateSnapshot(head, values, next, tasks);
  }

  /// What a run began with, before its input.
  private ObjectValue valuesOf(String thread, Optional<CheckpointPosition> parent) {
    var at = parent;
    while (at.map(CheckpointPosition::at).filter(CheckpointRef::isBeforeInput).isPresent()) {
      at = threads.checkpoint(thread, at.get().id()).parent();
    }
    return at.map(CheckpointPosition::at).map(this::values).orElse(ObjectValue.empty());
  }

  /// The values of a committed checkpoint.
  ObjectValue values(CheckpointRef at) {
    var origin = runs.summary(at.run()).origin();
    var state = runs.state(at.run(), Optional.of(at.checkpoint())).state();
    return graphs.of(origin.graph(), origin.version()).toWire(state);
  }
}
