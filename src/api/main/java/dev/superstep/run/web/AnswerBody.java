package dev.superstep.run.web;

import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// @param value Java's null: the field is missing
@Schema(name = "AnswerInterrupt")
record AnswerBody(@Nullable Value value) {

  public Value read() {
    var bodyChecks = new BodyChecks();
    var answer = bodyChecks.required("/value", value, Value.NULL);
    bodyChecks.throwIfAny();
    return answer;
  }
}
