package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.GraphVersion;
import dev.superstep.problem.FieldError;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A graph version without its definition in answers of the API.
@Schema(name = "GraphSummary", description = "A graph version without its definition")
record GraphSummaryBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "research-team") String name,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "3") int version,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "SHA-256 of the long form in RFC 8785 JSON",
            example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
        String hash,
    @JsonProperty("created_at") @Schema(requiredMode = RequiredMode.REQUIRED) Instant createdAt,
    @JsonProperty("created_by")
        @Schema(
            description =
                "Who posted it: the id of a key or of a token's subject; absent: no key was needed",
            example = "2c26b46b68ffc68f")
        @Nullable String createdBy,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "What was questionable when it was posted")
        List<FieldError> warnings) {

  static GraphSummaryBody of(GraphVersion version) {
    return new GraphSummaryBody(
        version.name(),
        version.version(),
        version.hash(),
        version.createdAt(),
        version.createdBy().orElse(null),
        FieldError.of(version.warnings()));
  }
}
