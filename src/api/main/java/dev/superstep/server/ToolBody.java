package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import java.util.Locale;

/// A tool in answers of the API.
@Schema(name = "Tool", description = "A tool that llm nodes can offer and tool nodes can run")
record ToolBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "weather") String name,
    @Schema(requiredMode = RequiredMode.REQUIRED) String description,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Where it comes from",
            allowableValues = {"java", "http", "mcp", "stub"})
        String source,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Whether a call with unknown outcome may be repeated",
            allowableValues = {"idempotent", "at_most_once"})
        String execution,
    @JsonProperty("arguments_schema")
        @Schema(requiredMode = RequiredMode.REQUIRED, description = "JSON Schema of its arguments")
        ObjectValue argumentsSchema,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description =
                "What the operator of the server says about its calls. Each of them applies, and"
                    + " no definition loosens one; none: definitions decide")
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
