package dev.superstep.langgraph.thread;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.langgraph.Containment;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.message.GraphMessages;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunQueries;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.view.CheckpointRef;
import dev.superstep.run.view.RunSummary;
import dev.superstep.run.view.ThreadCheckpoint.Position;
import dev.superstep.run.view.ThreadCheckpointId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/// Reads the states of threads as clients see them: values, what is next, tasks with their
/// questions. Each answer is of one moment.
@Service
@OnLangGraph
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
public class ThreadStates {
  private final ThreadQueries threads;
  private final RunQueries runs;
  private final GraphMessages graphs;
  private final TaskStates tasks;
  private final RunNames names;

  ThreadStates(
      ThreadQueries threads,
      RunQueries runs,
      GraphMessages graphs,
      TaskStates tasks,
      RunNames names) {
    this.threads = threads;
    this.runs = runs;
    this.graphs = graphs;
    this.tasks = tasks;
    this.names = names;
  }

  /// The newest state of the thread; one without values if nothing is committed.
  public ObjectValue newest(String thread) {
    var found = threads.history(thread, Optional.empty(), 1);
    return found.isEmpty()
        ? StateText.NONE
        : states(thread, List.of(new ShownCheckpoint(found.getFirst(), false))).getFirst();
  }

  /// @throws ServiceException `checkpoint_not_found`
  public ObjectValue at(String thread, String checkpoint) {
    return states(thread, List.of(find(thread, checkpoint))).getFirst();
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
  public List<ObjectValue> history(
      String thread, Optional<String> before, ObjectValue metadata, int limit) {
    var from = before.map(it -> find(thread, it));
    var found = new ArrayList<ObjectValue>();
    from.filter(it -> !it.beforeInput() && it.stored().kind() == CheckpointKind.INPUT)
        .ifPresent(it ->
            found.addAll(
                matching(thread, List.of(new ShownCheckpoint(it.stored(), true)), metadata)));
    var place = from.map(ShownCheckpoint::id);
    while (found.size() < limit) {
      var page = threads.history(thread, place, limit);
      found.addAll(
          matching(
              thread,
              page.stream().flatMap(it -> ShownCheckpoint.of(it).stream()).toList(),
              metadata));
      if (page.size() < limit || metadata.isEmpty()) {
        break;
      }
      place = Optional.of(page.getLast().position().id());
    }
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  private List<ObjectValue> matching(
      String thread, List<ShownCheckpoint> shown, ObjectValue metadata) {
    return states(thread, shown).stream()
        .filter(it -> Containment.contains(it.getOr("metadata", Value.NULL), metadata))
        .toList();
  }

  /// What a committed checkpoint is for these clients, oldest first: two states if it is the first
  /// of a run with an input; none if the thread does not have it.
  public List<ObjectValue> of(String thread, CheckpointRef at) {
    return threads
        .checkpoint(thread, at)
        .map(it -> states(thread, ShownCheckpoint.of(it)).reversed())
        .orElse(List.of());
  }

  private List<ObjectValue> states(String thread, List<ShownCheckpoint> shown) {
    var ids = shown.stream().map(it -> it.stored().position().at().run()).distinct().toList();
    var steps = threads.steps(thread, ids);
    var known = new HashMap<String, RunSummary>();
    return shown.stream()
        .map(it -> {
          var run = known.computeIfAbsent(it.stored().position().at().run(), runs::summary);
          return state(thread, it, run, step(it, steps));
        })
        .toList();
  }

  private static int step(ShownCheckpoint shown, Map<String, Integer> steps) {
    int first = steps.getOrDefault(shown.stored().position().at().run(), 0);
    return shown.beforeInput() ? first - 1 : first + shown.stored().superstep();
  }

  private ObjectValue state(String thread, ShownCheckpoint shown, RunSummary run, int step) {
    var at = shown.stored().position().at();
    var text = new StateText(thread, shown, names.of(run, at.checkpoint()), step);
    if (shown.beforeInput()) {
      return text.beforeInput(valuesOf(thread, shown.stored().parent()), tasks.input(run));
    }
    var view = runs.checkpoint(at.run(), at.checkpoint());
    var origin = run.origin();
    var values = graphs.of(origin.graph(), origin.version()).toWire(view.state());
    return text.state(values, tasks.pending(run, view));
  }

  /// What a run began with, before its input.
  private ObjectValue valuesOf(String thread, Optional<Position> parent) {
    var at = parent;
    while (at.map(Position::at).filter(CheckpointRef::isBeforeInput).isPresent()) {
      at = threads.checkpoint(thread, at.get().id()).parent();
    }
    return at.map(Position::at).map(this::values).orElse(ObjectValue.empty());
  }

  /// The values of a committed checkpoint.
  public ObjectValue values(CheckpointRef at) {
    var origin = runs.summary(at.run()).origin();
    var state = runs.state(at.run(), Optional.of(at.checkpoint())).state();
    return graphs.of(origin.graph(), origin.version()).toWire(state);
  }
}
