package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.GraphVersion;
import dev.superstep.problem.FieldError;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A graph version without its definition in answers of the API.
record GraphSummaryBody(
    String name,
    int version,
    String hash,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("created_by") @Nullable String createdBy,
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
