package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.RunPart;
import dev.superstep.run.RunView;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
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
}
