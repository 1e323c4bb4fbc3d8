package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.run.ForkRun;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
                    + " from then on. Refused as `thread_busy` while a run of it is active",
            example = "support-4711")
        @Nullable String threadId) {

  ForkRun read(String run) {
    var checks = new Checks();
    var fork =
        new ForkRun(
            run,
            checks.required("/checkpoint", checkpoint, 0),
            Optional.ofNullable(version),
            ChangeBody.read(change),
            Optional.ofNullable(asNode),
            LimitsBody.read(limits, checks),
            ContextEditBody.read(context, checks),
            Optional.ofNullable(threadId));
    checks.throwIfAny();
    return fork;
  }
}
