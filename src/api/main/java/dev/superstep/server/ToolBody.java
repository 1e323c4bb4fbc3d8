package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolPermits;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Locale;

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
