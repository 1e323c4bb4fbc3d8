package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ForkRun;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request to fork a run.
@Schema(name = "ForkRun", description = "A new run from a checkpoint of an old one")
record ForkBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "3") @Nullable Integer checkpoint,
    @Schema(description = "Another version of the same graph") @Nullable Integer version,
    @Nullable ChangeBody change,
    @Schema(description = "An edit of the prompt context that the new run begins with")
        @Nullable ContextEditBody context,
    @JsonProperty("as_node")
        @Schema(
            description =
                "The change counts as this node's result; its edges decide what is next."
                    + " `__start__` begins anew with the edited state, `__end__` ends")
        @Nullable String asNode,
    @Nullable LimitsBody limits,
    @JsonProperty("thread_id")
        @Schema(
            description =
                "The conversation that the new run joins: its checkpoints are the thread's state"
                    + " from when it begins",
            example = "support-4711")
        @Nullable String threadId,
    @JsonProperty("if_busy")
        @Schema(
            description =
                "If a run of the thread is active: `reject` answers 409 `thread_busy`; `enqueue`"
                    + " has the fork begin when the thread is free, in order of posting;"
                    + " `interrupt` ends the active run, which stays part of the thread;"
                    + " `rollback` ends it and leaves it out of the thread. Whatever is committed"
                    + " before the fork begins, its state is that of the checkpoint",
            allowableValues = {"reject", "enqueue", "interrupt", "rollback"},
            defaultValue = "reject")
        @Nullable String ifBusy,
    @JsonProperty("interrupt_before")
        @Schema(
            description =
                "Nodes to stop before, `*`: all. Replaces what the source was started with; the"
                    + " breakpoints of the graph hold in any case",
            example = "[\"send\"]")
        @Nullable List<String> interruptBefore,
    @JsonProperty("interrupt_after")
        @Schema(
            description =
                "Nodes to stop after, `*`: all. Replaces what the source was started with; the"
                    + " breakpoints of the graph hold in any case")
        @Nullable List<String> interruptAfter) {

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
