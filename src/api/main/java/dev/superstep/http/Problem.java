package dev.superstep.http;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The problem document of RFC 9457 that every error answer carries.
///
/// @param members further members that some codes have
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@Schema(description = "Why a call failed (RFC 9457)")
public record Problem(
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "`urn:superstep:problem:` and the code",
            example = "urn:superstep:problem:run_not_found")
        String type,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "Run not found") String title,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "404") int status,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "What happened and what to do",
            example = "there is no run 'r-1'")
        String detail,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "/v1/runs/r-1") String instance,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "run_not_found") String code,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Where the service explains the code: causes, what to do, an example",
            example = "/v1/error-codes/run_not_found")
        String help,
    @Schema(
            description =
                "What is wrong with the content, all at once; absent if the content is not to"
                    + " blame")
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
