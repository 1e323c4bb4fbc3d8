package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.ResumeRun.Onward;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request to resume a run that has stopped, or to edit it.
@Schema(
    name = "ResumeRun",
    description =
        "How a run that stopped goes on; `{}` passes a breakpoint and re-runs failed tasks")
record ResumeBody(
    @Nullable List<AnswerItem> answers,
    @Schema(description = "Failed tasks that count as done") @Nullable List<ResolveItem> resolve,
    @Schema(description = "An edit of the state, committed before anything runs")
        @Nullable ChangeBody change,
    @Schema(description = "An edit of the prompt context, committed before anything runs")
        @Nullable ContextEditBody context,
    @JsonProperty("goto")
        @Schema(
            description = "Nodes that run besides those that are pending",
            example = "[\"review\"]")
        @Nullable List<String> goTo,
    @JsonProperty("continue")
        @Schema(
            description =
                "`false`: the run is edited (`change`, `context`, `goto`, `limits`, breakpoints)"
                    + " and stays where it is",
            defaultValue = "true")
        @Nullable Boolean goesOn,
    @Schema(description = "Those that are given replace the run's") @Nullable LimitsBody limits,
    @JsonProperty("interrupt_before")
        @Schema(
            description =
                "Nodes to stop before, `*`: all. Replaces what the run was started with; the"
                    + " breakpoints of the graph hold in any case",
            example = "[\"send\"]")
        @Nullable List<String> interruptBefore,
    @JsonProperty("interrupt_after")
        @Schema(
            description =
                "Nodes to stop after, `*`: all. Replaces what the run was started with; the"
                    + " breakpoints of the graph hold in any case")
        @Nullable List<String> interruptAfter) {

  public ResumeRun read(String run) {
    var bodyChecks = new BodyChecks();
    var resume =
        new ResumeRun(
            run,
            answers(bodyChecks),
            resolutions(bodyChecks),
            ChangeBody.read(change),
            LimitsBody.read(limits, bodyChecks),
            ContextEditBody.read(context, bodyChecks),
            new Onward(
                Objects.requireNonNullElse(goTo, List.of()),
                Objects.requireNonNullElse(goesOn, true)),
            BodyChecks.breakpoints(interruptBefore, interruptAfter));
    bodyChecks.throwIfAny();
    return resume;
  }

  private List<ResumeRun.ResumeAnswer> answers(BodyChecks bodyChecks) {
    var items = Objects.requireNonNullElse(answers, List.<AnswerItem>of());
    var read = new ArrayList<ResumeRun.ResumeAnswer>();
    for (int i = 0; i < items.size(); i++) {
      var item = items.get(i);
      var value = bodyChecks.required("/answers/%d/value".formatted(i), item.value, Value.NULL);
      read.add(new ResumeRun.ResumeAnswer(Optional.ofNullable(item.interruptId), value));
    }
    return read;
  }

  private List<ResumeRun.Resolution> resolutions(BodyChecks bodyChecks) {
    var items = Objects.requireNonNullElse(resolve, List.<ResolveItem>of());
    var read = new ArrayList<ResumeRun.Resolution>();
    for (int i = 0; i < items.size(); i++) {
      var item = items.get(i);
      var task = bodyChecks.required("/resolve/%d/task_id".formatted(i), item.taskId, "");
      read.add(new ResumeRun.Resolution(task, ChangeBody.read(item.change)));
    }
    return read;
  }

  /// @param value Java's null: the field is missing
  @Schema(name = "Answer")
  record AnswerItem(
      @JsonProperty("interrupt_id")
          @Schema(description = "May be left out if only one interrupt is open")
          @Nullable String interruptId,
      @Schema(requiredMode = RequiredMode.REQUIRED, example = "{\"approved\": true}")
          @Nullable Value value) {}

  @Schema(name = "Resolution")
  record ResolveItem(
      @JsonProperty("task_id")
          @Schema(requiredMode = RequiredMode.REQUIRED, example = "2:research:plan-0")
          @Nullable String taskId,
      @Schema(description = "Counts as the task's result") @Nullable ChangeBody change) {}
}
