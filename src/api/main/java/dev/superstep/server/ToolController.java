package dev.superstep.server;

import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.node.tool.Tools;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Lists the tools of this server.
@Tag(name = "Catalog", description = "What definitions can refer to on this server")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class ToolController {
  private final Tools tools;
  private final ToolPermits permits;

  ToolController(Tools tools, ToolPermits permits) {
    this.tools = tools;
    this.permits = permits;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listTools")
  @Paged
  @GetMapping("/tools")
  Listing<ToolBody> tools(Query query) {
    return Listing.part(
        tools.all().stream()
            .map(Tool::description)
            .map(it -> ToolBody.of(it, permits.terms(it.name())))
            .toList(),
        query);
  }
}
