package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.NewThread;
import dev.superstep.run.NewThread.IfExists;
import dev.superstep.state.value.ObjectValue;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request to make a thread.
record NewThreadBody(
    @JsonProperty("thread_id") @Nullable String threadId,
    @Nullable ObjectValue metadata,
    @JsonProperty("if_exists") @Nullable String ifExists) {

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
