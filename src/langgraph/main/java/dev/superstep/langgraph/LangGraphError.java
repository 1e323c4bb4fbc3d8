package dev.superstep.langgraph;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import java.util.List;

/// Why a call failed. The clients show the first text that they find among `message`, `detail` and
/// `error`.
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record LangGraphError(
    String detail, String code, String error, String message, List<FieldError> errors) {

  static LangGraphError of(ServiceException failure) {
    return new LangGraphError(
        failure.detail(),
        failure.code().code(),
        failure.code().title(),
        failure.detail(),
        failure.errors());
  }
}
