package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.NewThread;
import dev.superstep.run.NewThread.IfExists;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request to make a thread.
@Schema(name = "NewThread", description = "A conversation before its first run")
record NewThreadBody(
    @JsonProperty("thread_id")
        @Schema(description = "Absent: one is made", example = "support-4711")
        @Nullable String threadId,
    @Schema(
            description = "Any JSON object, to find the thread by",
            example = "{\"customer\": \"c-17\"}")
        @Nullable ObjectValue metadata,
    @JsonProperty("if_exists")
        @Schema(
            description =
                "If there is a thread of this id: `reject` answers 409 `thread_exists`;"
                    + " `do_nothing` answers 200 with that thread, unchanged",
            allowableValues = {"reject", "do_nothing"},
            defaultValue = "reject")
        @Nullable String ifExists) {

  public NewThread read() {
    var bodyChecks = new BodyChecks();
    var strategy = ifExists == null ? Optional.of(IfExists.REJECT) : IfExists.find(ifExists);
    if (strategy.isEmpty()) {
      bodyChecks.refuse("/if_exists", ErrorCode.INVALID_VALUE, "must be reject or do_nothing");
    }
    bodyChecks.throwIfAny();
    return new NewThread(
        Optional.ofNullable(threadId),
        Objects.requireNonNullElse(metadata, ObjectValue.empty()),
        strategy.orElse(IfExists.REJECT));
  }
}
