package dev.superstep.http;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The problem document of RFC 9457 that every error answer carries.
///
/// @param members further members that some codes have
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    String instance,
    String code,
    String help,
    @Nullable List<FieldError> errors,
    @JsonAnyGetter @Schema(hidden = true) Map<String, Object> members) {

  public static Problem of(ServiceException failure, String instance) {
    var code = failure.code();
    return new Problem(
        code.type().toString(),
        code.title(),
        code.status().value(),
        failure.detail(),
        instance,
        code.code(),
        help(code),
        failure.errors(),
        failure.members());
  }

  /// Where the service explains the code.
  public static String help(ErrorCode code) {
    return "/v1/error-codes/" + code.code();
  }
}
