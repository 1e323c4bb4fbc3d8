package dev.superstep.server;

import dev.superstep.model.Models;
import dev.superstep.security.ApiScope;
import dev.superstep.security.AuthenticatedCallers;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
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
  @Operation(operationId = "getServer")
  @GetMapping
  ResponseEntity<ServerBody> get() {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(ServerBody.of(reports.report(), models.currency(), callers.scopes()));
  }
}
