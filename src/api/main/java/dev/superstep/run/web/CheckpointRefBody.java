package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.problem.ErrorCode;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checkpoint of a thread from which a run begins, in requests and answers.
@Schema(name = "CheckpointRef", description = "A checkpoint of a run")
record CheckpointRefBody(
    @JsonProperty("run_id")
        @Schema(
            requiredMode = RequiredMode.REQUIRED,
            example = "0199f5a1-9b5e-7c62-a4f1-2f9d1c3b7a10")
        @Nullable String runId,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "3", minimum = "0")
        @Nullable Integer checkpoint) {

  /// @return what an answer shows of it
  public static CheckpointRefBody of(CheckpointRef checkpoint) {
    return new CheckpointRefBody(checkpoint.run(), checkpoint.checkpoint());
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
        new CheckpointRef(bodyChecks.required("/from/run_id", body.runId, ""), number));
  }
}
