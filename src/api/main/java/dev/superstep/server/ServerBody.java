package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.security.ApiScope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The report on this server, and what its caller may do.
record ServerBody(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String version,
    int cell,
    Instant time,
    boolean ready,
    @JsonProperty("database_reachable") boolean databaseReachable,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer replicas,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String currency,
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
