package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.GraphVersion;
import dev.superstep.problem.FieldError;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A graph version in answers of the API.
///
/// @param yaml writes the version where the answer is YAML
record GraphBody(
    String name,
    int version,
    String hash,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("created_by") @Nullable String createdBy,
    List<FieldError> warnings,
    @Schema(ref = "#/components/schemas/GraphDefinition") ObjectValue definition,
    @JsonIgnore @Schema(hidden = true) Supplier<String> yaml) {

  static GraphBody of(GraphVersion version, Function<GraphVersion, String> yaml) {
    return new GraphBody(
        Tenant.shown(version.name()),
        version.version(),
        version.hash(),
        version.createdAt(),
        version.createdBy().orElse(null),
        FieldError.of(version.warnings()),
        version.definition(),
        () -> yaml.apply(version));
  }
}
