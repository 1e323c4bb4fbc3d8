package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.model.Models;
import dev.superstep.security.ApiScope;
import dev.superstep.security.AuthenticatedCallers;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the report on this server.
@Tag(name = "Server", description = "What this server is")
@RestController
@RequestMapping(path = "/v1/server", produces = MediaType.APPLICATION_JSON_VALUE)
class ServerController {
  private final ServerReports reports;
  private final Models models;
  private final AuthenticatedCallers callers;

  ServerController(ServerReports reports, Models models, AuthenticatedCallers callers) {
    this.reports = reports;
    this.models = models;
    this.callers = callers;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getServer")
  @GetMapping
  ResponseEntity<ServerBody> get() {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(ServerBody.of(reports.report(), models.currency(), callers.scopes()));
  }

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
}
