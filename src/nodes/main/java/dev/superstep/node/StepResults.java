package dev.superstep.node;

import dev.superstep.engine.run.TaskError;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.ValueModule;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/// Writes what steps return as values, and reads it back.
final class StepResults {
  private static final String BAD = "bad_step_result";
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new ValueModule())
          .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
          .build();

  private StepResults() {}

  /// @throws StepException if it cannot be kept
  static Value write(String step, @Nullable Object result) {
    if (result == null) {
      throw StepException.permanent(
          BAD, "step '%s' returned null; let it return nothing".formatted(step), null);
    }
    try {
      // A value may hold text that none may that is stored.
      return Json.read(
          result instanceof Value value ? Json.write(value) : MAPPER.writeValueAsString(result));
    } catch (JacksonException e) {
      throw StepException.permanent(
          BAD,
          "what step '%s' returned cannot be kept as JSON: %s".formatted(step, e.getMessage()),
          e);
    }
  }

  /// The failure as it can be kept: what it says may hold text that no value may.
  static TaskError storable(String step, TaskError error) {
    try {
      var told = ObjectValue.of("message", error.message()).plus("details", error.details());
      Value _ = Json.read(Json.write(told));
      return error;
    } catch (JsonException _) {
      return new TaskError(
          error.code(),
          "step '%s' failed, with a message that cannot be kept".formatted(step),
          error.retryable(),
          error.retryAfter(),
          ObjectValue.empty());
    }
  }

  /// @return null if the value is
  static <T> @Nullable T read(String step, Class<T> type, Value value) {
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    if (value instanceof Value.Null) {
      return null;
    }
    try {
      return MAPPER.readValue(Json.write(value), type);
    } catch (JacksonException e) {
      throw StepException.permanent(
          BAD,
          "the result of step '%s' cannot be read as %s: %s"
              .formatted(step, type.getSimpleName(), e.getOriginalMessage()),
          e);
    }
  }
}
