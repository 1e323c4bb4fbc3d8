package dev.superstep.run.web;

import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import org.jspecify.annotations.Nullable;

/// @param value Java's null: the field is missing
@Schema(name = "AnswerInterrupt")
record AnswerBody(
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "The answer; null is one too",
            example = "{\"approved\": true}")
        @Nullable Value value) {

  public Value read() {
    var bodyChecks = new BodyChecks();
    var answer = bodyChecks.required("/value", value, Value.NULL);
    bodyChecks.throwIfAny();
    return answer;
  }
}
