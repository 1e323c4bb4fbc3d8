package dev.superstep.langgraph;

import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.server.ServerReports;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;

/// Answers that there is a server, and what it has.
@Tag(name = "System", description = "What this server is")
@LangGraphController
class InfoController {
  private static final Map<String, Boolean> FLAGS =
      Map.of("assistants", true, "crons", true, "langsmith", false);
  private final ServerReports reports;

  InfoController(ServerReports reports) {
    this.reports = reports;
  }

  @Requires({})
  @Operation(operationId = "langGraphOk")
  @GetMapping(path = "/ok", produces = MediaType.APPLICATION_JSON_VALUE)
  Map<String, Boolean> ok() {
    return Map.of("ok", true);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphInfo")
  @GetMapping(path = "/info", produces = MediaType.APPLICATION_JSON_VALUE)
  ServerInfo info() {
    return new ServerInfo(reports.report().version().orElse("development"), "superstep", FLAGS);
  }

  record ServerInfo(String version, String server, Map<String, Boolean> flags) {}
}
