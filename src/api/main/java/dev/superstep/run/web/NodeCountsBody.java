package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.NodeCounts;
import dev.superstep.run.NodeCounts.Failed;
import dev.superstep.run.NodeCounts.NodeTasks;
import dev.superstep.run.TaskView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How many tasks the nodes of a run have.
@Schema(name = "NodeCounts", description = "The tasks of a run, counted by node and status")
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class NodeCountsBody {
  @Schema(description = "The last one that is committed")
  final int superstep;

  @Schema(description = "Of committed supersteps, as far as this answer has them")
  final List<NodeTasksBody> committed;

  @Schema(description = "Of the superstep that is not committed; empty behind a cursor")
  final List<NodeTasksBody> open;

  @JsonProperty("next_cursor")
  @Schema(description = "Where older supersteps are to be counted; absent: nowhere")
  final @Nullable String nextCursor;

  public NodeCountsBody(NodeCounts counts) {
    superstep = counts.superstep();
    committed = counts.committed().stream().map(NodeTasksBody::new).toList();
    open = counts.open().stream().map(NodeTasksBody::new).toList();
    nextCursor = counts.next().orElse(null);
  }

  @Schema(name = "NodeTasks")
  @JsonAutoDetect(fieldVisibility = Visibility.ANY)
  static final class NodeTasksBody {
    @Schema(example = "research")
    final String node;

    @Schema(description = "The newest of these supersteps in which it has run")
    final int superstep;

    final int tasks;

    @Schema(description = "How many are how", example = "{\"succeeded\": 3}")
    final Map<String, Integer> statuses;

    @Schema(description = "The same of that newest superstep alone", example = "{\"succeeded\": 3}")
    final Map<String, Integer> newest;

    @Schema(description = "Those that were tried more than once")
    final int retried;

    @JsonProperty("busy_ms")
    @Schema(description = "Of all of them together, as far as they have ended")
    final long busyMs;

    @JsonProperty("longest_ms")
    final long longestMs;

    @JsonProperty("failed_task")
    @Schema(description = "The newest with an error", example = "2:research:plan-0")
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
