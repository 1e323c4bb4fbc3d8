package dev.superstep.server;

import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The meaning of a code in answers of the API.
@Schema(name = "ErrorCode", description = "What a code means and what to do about it")
record ErrorCodeBody(
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "One that ends in `*` stands for all that begin so",
            example = "thread_busy")
        String code,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "Thread busy") String title,
    @Schema(description = "Of an answer with this code; absent if no answer has it as a whole")
        @Nullable Integer status,
    @ArraySchema(
            arraySchema =
                @Schema(
                    requiredMode = RequiredMode.REQUIRED,
                    description =
                        "Where it is found: `request`, `definition`, `warning`, `run`, `test`,"
                            + " `tool`"),
            schema = @Schema(example = "request"))
        List<String> found,
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "What has happened") String meaning,
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "The usual ones")
        List<String> causes,
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "What to do") String remedy,
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "A document that has it")
        ObjectValue example) {

  static ErrorCodeBody of(Explanation code) {
    return new ErrorCodeBody(
        code.code(),
        code.title(),
        code.status().orElse(null),
        code.found().stream().map(CodeSource::key).toList(),
        code.what(),
        code.causes(),
        code.remedy(),
        code.example());
  }
}
