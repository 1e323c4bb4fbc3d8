package dev.superstep.run.query;

import dev.superstep.graph.NodeId;
import dev.superstep.run.NodeCounts;
import dev.superstep.run.NodeStatus;
import dev.superstep.run.Page;
import dev.superstep.run.RunSummary;
import dev.superstep.run.TaskFilter;
import dev.superstep.run.TaskView;
import dev.superstep.run.store.ChildLinks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Reads the tasks of a run, each with the child run that it began last.
@Component
class TaskQueries {
  private final TaskHistory history;
  private final OpenSuperstep open;
  private final NodeStatuses nodeStatuses;
  private final NodeTally tally;
  private final ChildLinks links;

  TaskQueries(
      TaskHistory history,
      OpenSuperstep open,
      NodeStatuses nodeStatuses,
      NodeTally tally,
      ChildLinks links) {
    this.history = history;
    this.open = open;
    this.nodeStatuses = nodeStatuses;
    this.tally = tally;
    this.links = links;
  }

  Page<TaskView> list(RunSummary run, TaskFilter filter, Page.Request page) {
    var found = history.list(run, filter, page);
    return new Page<>(withChildren(run, found.items()), found.next());
  }

  /// The tasks that have failed, of a run that a person may resume.
  List<TaskView> failed(RunSummary run) {
    return switch (run.status()) {
      case WAITING, INTERRUPTED, FAILED -> withChildren(run, open.failed(run));
      // It may be waiting for a child that runs.
      case RUNNING ->
          links.lastOf(run.id()).isEmpty() ? List.of() : withChildren(run, open.failed(run));
      case QUEUED, CANCELLING, SUCCEEDED, CANCELLED -> List.of();
    };
  }

  private List<TaskView> withChildren(RunSummary run, List<TaskView> tasks) {
    if (tasks.isEmpty()) {
      return tasks;
    }
    var children = links.lastOf(run.id());
    return tasks.stream().map(it -> it.withChild(children.get(it.key()))).toList();
  }

  NodeCounts counts(RunSummary run, int after, Optional<String> cursor) {
    return tally.of(run, after, cursor);
  }

  Map<NodeId, NodeStatus> nodeStatuses(RunSummary run) {
    return nodeStatuses.of(run);
  }
}
