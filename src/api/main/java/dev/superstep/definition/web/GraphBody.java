package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.GraphVersion;
import dev.superstep.problem.FieldError;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A graph version in answers of the API.
///
/// @param yaml writes the version where the answer is YAML
@Schema(name = "Graph", description = "A graph version")
record GraphBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "research-team") String name,
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "3") int version,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "SHA-256 of the long form in RFC 8785 JSON")
        String hash,
    @JsonProperty("created_at") @Schema(requiredMode = RequiredMode.REQUIRED) Instant createdAt,
    @JsonProperty("created_by")
        @Schema(
            description =
                "Who posted it: the id of a key or of a token's subject; absent: no key was needed",
            example = "2c26b46b68ffc68f")
        @Nullable String createdBy,
    @Schema(requiredMode = RequiredMode.REQUIRED) List<FieldError> warnings,
    @Schema(requiredMode = RequiredMode.REQUIRED, ref = "#/components/schemas/GraphDefinition")
        ObjectValue definition,
    @JsonIgnore @Schema(hidden = true) Supplier<String> yaml) {

  static GraphBody of(GraphVersion version, Function<GraphVersion, String> yaml) {
    return new GraphBody(
        version.name(),
        version.version(),
        version.hash(),
        version.createdAt(),
        version.createdBy().orElse(null),
        FieldError.of(version.warnings()),
        version.definition(),
        () -> yaml.apply(version));
  }
}
