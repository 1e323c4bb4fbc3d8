package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ForkRun;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request to fork a run.
@Schema(name = "ForkRun")
record ForkBody(
    @Nullable Integer checkpoint,
    @Nullable Integer version,
    @Nullable ChangeBody change,
    @Nullable ContextEditBody context,
    @JsonProperty("as_node") @Nullable String asNode,
    @Nullable LimitsBody limits,
    @JsonProperty("thread_id") @Nullable String threadId,
    @JsonProperty("if_busy") @Nullable String ifBusy,
    @JsonProperty("interrupt_before") @Nullable List<String> interruptBefore,
    @JsonProperty("interrupt_after") @Nullable List<String> interruptAfter) {

  public ForkRun read(String run) {
    var bodyChecks = new BodyChecks();
    var fork =
        new ForkRun(
            run,
            bodyChecks.required("/checkpoint", checkpoint, 0),
            Optional.ofNullable(version),
            ChangeBody.read(change),
            Optional.ofNullable(asNode),
            LimitsBody.read(limits, bodyChecks),
            ContextEditBody.read(context, bodyChecks),
            Optional.ofNullable(threadId),
            bodyChecks.ifBusy(ifBusy, threadId),
            BodyChecks.breakpoints(interruptBefore, interruptAfter));
    bodyChecks.throwIfAny();
    return fork;
  }
}
