package dev.superstep.langgraph;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/// Why a call failed. The clients show the first text that they find among `message`, `detail` and
/// `error`.
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@Schema(description = "Why a call failed")
record LangGraphError(
    @Schema(description = "What happened and what to do") String detail,
    @Schema(example = "thread_not_found") String code,
    @Schema(example = "Thread not found") String error,
    @Schema(description = "As `detail`") String message,
    @Schema(description = "What is wrong with the content, and where") List<FieldError> errors) {

  static LangGraphError of(ServiceException failure) {
    return new LangGraphError(
        failure.detail(),
        failure.code().code(),
        failure.code().title(),
        failure.detail(),
        failure.errors());
  }
}
