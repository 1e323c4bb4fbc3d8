package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.run.Spending;
import dev.superstep.engine.run.Usage;
import dev.superstep.run.RunPart;
import dev.superstep.run.RunView;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A run in full, with input, output and what it waits for.
final class RunBody extends RunSummaryBody {
  final @Nullable ObjectValue input;

  final @Nullable ObjectValue params;

  final @Nullable Value output;

  final List<InterruptBody> interrupts;

  @JsonProperty("failed_tasks")
  final List<TaskBody> failedTasks;

  final UsageBody usage;

  public RunBody(RunView run) {
    this(run, Set.of());
  }

  /// @param without what it does not show
  public RunBody(RunView run, Set<RunPart> without) {
    super(run.summary());
    input = without.contains(RunPart.INPUT) ? null : run.input();
    params = run.params().isEmpty() ? null : run.params();
    output = run.output().orElse(null);
    interrupts = run.interrupts().stream().map(InterruptBody::new).toList();
    failedTasks = run.failedTasks().stream().map(TaskBody::new).toList();
    usage = UsageBody.of(run.spent());
  }

  /// What a run has spent on models, per node and in all.
  static final class UsageBody extends SpentBody {
    final List<NodeUsageBody> nodes;

    private UsageBody(Usage total, List<NodeUsageBody> nodes) {
      super(total);
      this.nodes = nodes;
    }

    static UsageBody of(Spending spent) {
      return new UsageBody(
          spent.total(),
          spent.nodes().entrySet().stream()
              .map(it -> new NodeUsageBody(it.getKey().value(), it.getValue()))
              .sorted(Comparator.comparing(it -> it.node))
              .toList());
    }

    static final class NodeUsageBody extends SpentBody {
      final String node;

      NodeUsageBody(String node, Usage usage) {
        super(usage);
        this.node = node;
      }
    }
  }
}
