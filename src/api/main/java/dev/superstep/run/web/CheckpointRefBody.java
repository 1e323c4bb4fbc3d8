package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.problem.ErrorCode;
import dev.superstep.tenant.Tenant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checkpoint of a thread from which a run begins, in requests and answers.
record CheckpointRefBody(
    @JsonProperty("run_id") @Nullable String runId, @Nullable Integer checkpoint) {

  /// @return what an answer shows of it
  public static CheckpointRefBody of(CheckpointRef checkpoint) {
    return new CheckpointRefBody(Tenant.shown(checkpoint.run()), checkpoint.checkpoint());
  }

  static Optional<CheckpointRef> read(
      @Nullable CheckpointRefBody body, @Nullable String thread, BodyChecks bodyChecks) {
    if (body == null) {
      return Optional.empty();
    }
    if (thread == null) {
      bodyChecks.refuse("/from", ErrorCode.INVALID_VALUE, "goes with a thread_id only");
    }
    int number = bodyChecks.required("/from/checkpoint", body.checkpoint, 0);
    if (number < 0) {
      bodyChecks.refuse("/from/checkpoint", ErrorCode.INVALID_VALUE, "must be 0 or more");
    }
    return Optional.of(
        new CheckpointRef(
            Tenant.current().own(bodyChecks.required("/from/run_id", body.runId, "")), number));
  }
}
