package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.node.tool.Tools;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
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

  /// A tool in answers of the API.
  record ToolBody(
      String name,
      String description,
      String source,
      String execution,
      @JsonProperty("arguments_schema") ObjectValue argumentsSchema,
      List<ToolPolicyBody> policies) {

    static ToolBody of(Tool.Description tool, List<ToolPermits.Terms> terms) {
      return new ToolBody(
          tool.name(),
          tool.text(),
          tool.source(),
          tool.execution().name().toLowerCase(Locale.ROOT),
          tool.inputSchema(),
          terms.stream().map(ToolPolicyBody::of).toList());
    }
  }

  /// A tool policy in answers of the API.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ToolPolicyBody(
      List<String> graphs,
      String approval,
      @JsonProperty("calls_per_run_max") @Nullable Integer callsPerRunMax,
      @JsonProperty("calls_per_message_max") @Nullable Integer callsPerMessageMax,
      boolean conditional) {

    static ToolPolicyBody of(ToolPermits.Terms terms) {
      return new ToolPolicyBody(
          terms.graphs(),
          terms.approval(),
          orNull(terms.perRunMax()),
          orNull(terms.perMessageMax()),
          terms.conditional());
    }

    private static @Nullable Integer orNull(OptionalInt value) {
      return value.isPresent() ? value.getAsInt() : null;
    }
  }
}
