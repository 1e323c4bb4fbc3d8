package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.RunPart;
import dev.superstep.run.RunView;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A run in full, with input, output and what it waits for.
@Schema(name = "Run", description = "A run as it is now")
final class RunBody extends RunSummaryBody {
  @Schema(
      description = "Absent where a read is without it",
      example = "{\"topics\": [\"cats\", \"dogs\", \"birds\"]}")
  final @Nullable ObjectValue input;

  @Schema(
      description = "The value of each param of the graph, as at the start; absent: it has none",
      example = "{\"language\": \"fr\"}")
  final @Nullable ObjectValue params;

  @Schema(description = "The declared channels, else the state; only when succeeded")
  final @Nullable Value output;

  @Schema(description = "The open ones, in task order")
  final List<InterruptBody> interrupts;

  @JsonProperty("failed_tasks")
  @Schema(description = "What a resume would run again")
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
