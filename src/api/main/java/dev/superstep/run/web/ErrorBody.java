package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// The error of a run or of a task.
@Schema(name = "RunError")
record ErrorBody(
    String code,
    String message,
    @Nullable String node,
    @JsonProperty("dispatch_id") @Nullable String dispatchId,
    @Nullable Integer superstep,
    @Nullable Integer attempt,
    @Nullable ObjectValue details) {

  static ErrorBody of(RunError error) {
    var task = error.task();
    return new ErrorBody(
        error.error().code(),
        Tenant.current().shownIn(error.error().message()),
        task.map(it -> it.node().value()).orElse(null),
        task.map(TaskKey::dispatchId).orElse(null),
        task.map(TaskKey::superstep).orElse(null),
        error.attempt() == 0 ? null : error.attempt(),
        details(error.error()));
  }

  static ErrorBody of(TaskError error) {
    return new ErrorBody(
        error.code(),
        Tenant.current().shownIn(error.message()),
        null,
        null,
        null,
        null,
        details(error));
  }

  private static @Nullable ObjectValue details(TaskError error) {
    return error.details().isEmpty() ? null : error.details();
  }
}
