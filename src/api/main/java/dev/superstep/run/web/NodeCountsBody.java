package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.NodeCounts;
import dev.superstep.run.NodeCounts.Failed;
import dev.superstep.run.NodeCounts.NodeTasks;
import dev.superstep.run.TaskView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How many tasks the nodes of a run have.
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class NodeCountsBody {
  final int superstep;

  final List<NodeTasksBody> committed;

  final List<NodeTasksBody> open;

  @JsonProperty("next_cursor")
  final @Nullable String nextCursor;

  public NodeCountsBody(NodeCounts counts) {
    superstep = counts.superstep();
    committed = counts.committed().stream().map(NodeTasksBody::new).toList();
    open = counts.open().stream().map(NodeTasksBody::new).toList();
    nextCursor = counts.next().orElse(null);
  }

  @JsonAutoDetect(fieldVisibility = Visibility.ANY)
  static final class NodeTasksBody {
    final String node;

    final int superstep;

    final int tasks;

    final Map<String, Integer> statuses;

    final Map<String, Integer> newest;

    final int retried;

    @JsonProperty("busy_ms")
    final long busyMs;

    @JsonProperty("longest_ms")
    final long longestMs;

    @JsonProperty("failed_task")
    final @Nullable String failedTask;

    @JsonProperty("failed_code")
    final @Nullable String failedCode;

    NodeTasksBody(NodeTasks tasks) {
      node = tasks.node().value();
      superstep = tasks.superstep();
      this.tasks = tasks.statuses().values().stream().mapToInt(Integer::intValue).sum();
      statuses = named(tasks.statuses());
      newest = named(tasks.newest());
      retried = tasks.retried();
      busyMs = tasks.busy().toMillis();
      longestMs = tasks.longest().toMillis();
      failedTask = tasks.failed().map(Failed::task).orElse(null);
      failedCode = tasks.failed().map(Failed::code).orElse(null);
    }

    private static Map<String, Integer> named(Map<TaskView.Status, Integer> statuses) {
      var named = new TreeMap<String, Integer>();
      statuses.forEach((status, count) -> named.put(status.apiName(), count));
      return named;
    }
  }
}
