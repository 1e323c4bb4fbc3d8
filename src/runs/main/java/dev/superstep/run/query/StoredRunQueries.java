package dev.superstep.run.query;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.context.PromptContext;
import dev.superstep.graph.NodeId;
import dev.superstep.run.CheckpointSummary;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.CommitView;
import dev.superstep.run.EventView;
import dev.superstep.run.HeldStop;
import dev.superstep.run.InterruptFilter;
import dev.superstep.run.NodeContextView;
import dev.superstep.run.NodeCounts;
import dev.superstep.run.NodeStatus;
import dev.superstep.run.Page;
import dev.superstep.run.RunFilter;
import dev.superstep.run.RunPart;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunView;
import dev.superstep.run.StateView;
import dev.superstep.run.TaskFilter;
import dev.superstep.run.TaskView;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.StoredJson;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/// Reads runs from the database: each answer is of one moment.
@Service
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
class StoredRunQueries implements RunQueries {
  private final RunHeads heads;
  private final RunDetails details;
  private final InterruptQueries interruptQueries;
  private final TaskQueries tasks;
  private final ContextDetails contexts;
  private final EventLog events;
  private final SpentByRun spent;
  private final TaskEnds ends;

  StoredRunQueries(
      RunHeads heads,
      RunDetails details,
      InterruptQueries interruptQueries,
      TaskQueries tasks,
      ContextDetails contexts,
      EventLog events,
      SpentByRun spent,
      TaskEnds ends) {
    this.ends = ends;
    this.heads = heads;
    this.details = details;
    this.interruptQueries = interruptQueries;
    this.tasks = tasks;
    this.contexts = contexts;
    this.events = events;
    this.spent = spent;
  }

  @Override
  public RunView run(String id, Set<RunPart> without) {
    var summary = summary(id);
    var input = details.input(id);
    return new RunView(
        summary,
        without.contains(RunPart.INPUT) ? ObjectValue.empty() : StoredJson.object(input.input()),
        input.params(),
        without.contains(RunPart.OUTPUT) ? Optional.empty() : details.output(summary),
        interruptQueries.open(id),
        tasks.failed(summary),
        spent.of(summary));
  }

  /// A single statement is of one moment at any isolation; asking for another one takes three more.
  @Override
  @Transactional(readOnly = true)
  public RunSummary summary(String id) {
    return heads.find(id).orElseThrow(() -> RunFinder.notFound(id));
  }

  @Override
  public Page<RunSummary> search(RunFilter filter, Page.Request page) {
    return heads.search(filter, page);
  }

  @Override
  public StateView state(String run, Optional<Integer> checkpoint) {
    var summary = summary(run);
    return details.state(summary, number(summary, checkpoint));
  }

  @Override
  public ObjectValue stateWithPending(String run, Optional<Integer> checkpoint) {
    var summary = summary(run);
    return details.stateWithPending(summary, number(summary, checkpoint));
  }

  @Override
  public List<HeldStop> stops(String run, int superstep) {
    summary(run);
    return ends.stops(run, superstep);
  }

  private static int number(RunSummary run, Optional<Integer> checkpoint) {
    return checkpoint.orElse(run.standing().checkpoint());
  }

  @Override
  public PromptContext context(String run, Optional<Integer> checkpoint) {
    var summary = summary(run);
    return details
        .rebuild(summary, number(summary, checkpoint))
        .context()
        .orElse(PromptContext.EMPTY);
  }

  @Override
  public NodeContextView nodeContext(
      String run, int number, String node, Optional<String> dispatch) {
    return contexts.view(summary(run), number, node, dispatch.orElse(null));
  }

  @Override
  public Page<CheckpointSummary> checkpoints(
      String run, Optional<Integer> superstep, Page.Request page) {
    return details.list(summary(run), superstep, page);
  }

  @Override
  public CheckpointView checkpoint(String run, int number) {
    return details.view(summary(run), number);
  }

  @Override
  public Optional<CommitView> commit(String run, int superstep) {
    return details.commit(summary(run), superstep);
  }

  @Override
  public Page<TaskView> tasks(String run, TaskFilter filter, Page.Request page) {
    return tasks.list(summary(run), filter, page);
  }

  @Override
  public NodeCounts nodes(String run, int after, Optional<String> cursor) {
    return tasks.counts(summary(run), after, cursor);
  }

  @Override
  public Page<StoredInterrupt> interrupts(InterruptFilter filter, Page.Request page) {
    filter.run().ifPresent(this::summary);
    return interruptQueries.search(filter, page);
  }

  @Override
  public List<StoredInterrupt> questions(String run, HeldStop stop, Instant at, Instant until) {
    summary(run);
    return interruptQueries.at(run, stop, at, until);
  }

  @Override
  public StoredInterrupt interrupt(String id) {
    return interruptQueries.find(id);
  }

  @Override
  public List<EventView> events(String run, long after, Set<String> types, int limit) {
    summary(run);
    return events.read(run, after, types, limit).stream()
        .map(it -> new EventView(Optional.of(it.seq()), run, it.at(), it.event()))
        .toList();
  }

  @Override
  public long lastEvent(String run) {
    return events.last(run);
  }

  @Override
  public int era() {
    return events.era();
  }

  @Override
  public long validThrough(String run, int era) {
    return events.validThrough(run, era);
  }

  @Override
  public Map<NodeId, NodeStatus> marks(String run) {
    return tasks.nodeStatuses(summary(run));
  }
}
