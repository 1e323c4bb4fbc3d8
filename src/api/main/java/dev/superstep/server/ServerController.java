package dev.superstep.server;

import dev.superstep.model.Models;
import dev.superstep.security.ApiScope;
import dev.superstep.security.AuthenticatedCallers;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
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
  @Operation(
      operationId = "getServer",
      summary = "See what this server is, how it fares, and what the caller may do",
      description =
          "Answers while the database is away, too, to callers whose keys are in the settings. The"
              + " probes of an orchestrator are on the management port.")
  @ApiResponse(responseCode = "200", description = "The report", useReturnTypeSchema = true)
  @GetMapping
  ResponseEntity<ServerBody> get() {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(ServerBody.of(reports.report(), models.currency(), callers.scopes()));
  }
}
