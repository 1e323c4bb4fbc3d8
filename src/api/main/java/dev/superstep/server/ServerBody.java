package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.security.ApiScope;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The report on this server, and what its caller may do.
@Schema(
    name = "Server",
    description = "What this server is, how it fares, and what its caller may do")
record ServerBody(
    @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(description = "Absent unless the service was packaged", example = "0.1.0")
        @Nullable String version,
    @Schema(description = "The number that the ids of its runs carry", example = "0") int cell,
    @Schema(description = "Of the clock of this replica") Instant time,
    @Schema(description = "Whether the replica that answers takes on runs") boolean ready,
    @JsonProperty("database_reachable")
        @Schema(description = "Whether the database answers this replica")
        boolean databaseReachable,
    @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(
            description =
                "Replicas that are alive or not known to be dead yet; absent while the database"
                    + " does not answer",
            example = "3")
        @Nullable Integer replicas,
    @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(
            description = "The unit of the prices and costs of models; absent: it is not said",
            example = "USD")
        @Nullable String currency,
    @Schema(
            description = "What the key of this call may do; everything where no keys are required",
            example = "[\"read\", \"run\"]")
        List<String> scopes) {

  /// @param currency of the prices of models
  static ServerBody of(ServerReport report, Optional<String> currency, Set<ApiScope> scopes) {
    return new ServerBody(
        report.version().orElse(null),
        report.cell(),
        report.time(),
        report.ready(),
        report.databaseReachable(),
        report.replicas().orElse(null),
        currency.orElse(null),
        scopes.stream().sorted().map(ApiScope::text).toList());
  }
}
