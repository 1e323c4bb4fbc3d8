package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.ResumeRun.Onward;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request to resume a run that has stopped, or to edit it.
@Schema(name = "ResumeRun")
record ResumeBody(
    @Nullable List<AnswerItem> answers,
    @Nullable List<ResolveItem> resolve,
    @Nullable ChangeBody change,
    @Nullable ContextEditBody context,
    @JsonProperty("goto") @Nullable List<String> goTo,
    @JsonProperty("continue") @Nullable Boolean goesOn,
    @Nullable LimitsBody limits,
    @JsonProperty("interrupt_before") @Nullable List<String> interruptBefore,
    @JsonProperty("interrupt_after") @Nullable List<String> interruptAfter) {

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
      @JsonProperty("interrupt_id") @Nullable String interruptId, @Nullable Value value) {}

  @Schema(name = "Resolution")
  record ResolveItem(
      @JsonProperty("task_id") @Nullable String taskId, @Nullable ChangeBody change) {}
}
