package dev.superstep.node.tool;

import static dev.superstep.definition.form.DefinitionSchema.TOOL;

import dev.superstep.definition.form.DefinitionSchema.DefinedTool;
import dev.superstep.definition.type.ToolDefinitions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Schemas;
import dev.superstep.node.http.Outbound;
import dev.superstep.secret.CallerTokens;
import dev.superstep.secret.OnBehalfOf;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.SecretUse;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads the tools that a graph defines: web services for its agents.
final class DefinedTools implements ToolDefinitions {
  private static final ObjectValue ANYTHING = ObjectValue.of("type", "object");
  private final Outbound outbound;
  private final Secrets secrets;
  private final ReleasedSecrets released;
  private final Tools server;

  DefinedTools(Outbound outbound, Secrets secrets, ReleasedSecrets released, Tools server) {
    this.server = server;
    this.outbound = outbound;
    this.secrets = secrets;
    this.released = released;
  }

  @Override
  public void check(ObjectValue tools, String graph, Location at) {
    tools.forEach((name, value) -> {
      if (server.find(name).isPresent()) {
        at.key(name).error(ToolNames.TAKEN, ToolNames.taken(name));
      }
      if (value instanceof ObjectValue tool) {
        checkTool(TOOL.of(tool), graph, at.key(name));
      }
    });
  }

  private void checkTool(DefinedTool tool, String graph, Location at) {
    refusal(tool).ifPresent(it -> at.key("url").error("invalid_value", it));
    try {
      tool.parameters().ifPresent(Schemas::compile);
    } catch (InvalidSchemaException e) {
      e.problems()
          .forEach(it ->
              at.key("parameters")
                  .error(Violation.of(it.pointer(), "invalid_schema", it.message())));
    }
    headers(tool)
        .forEach((name, value) -> {
          var here = at.key("headers").key(name);
          Outbound.headerRefusal(name).ifPresent(it -> here.error("invalid_value", it));
          SecretUse.parse(value)
              .flatMap(released::refusal)
              .ifPresent(it -> here.error("unknown_secret", it));
          SecretUse.parse(value)
              .flatMap(it -> released.refusal(it, graph))
              .ifPresent(it -> here.error(ReleasedSecrets.NOT_ALLOWED, it));
        });
  }

  /// The tools of a graph whose definition is sound.
  List<Tool> of(ObjectValue tools) {
    var made = new ArrayList<Tool>();
    for (var name : tools.asMap().keySet()) {
      tools
          .findObject(name)
          .map(TOOL::of)
          .filter(it -> refusal(it).isEmpty())
          .ifPresent(it -> made.add(tool(name, it)));
    }
    return made;
  }

  /// A model's argument may fill a placeholder behind the host, but never choose the host.
  private static Optional<String> refusal(DefinedTool tool) {
    return OnBehalfOf.hasPlaceInHost(tool.url())
        ? Optional.of("a place in the URL must stand behind the host")
        : Outbound.refusal(plain(tool));
  }

  /// With a letter for each placeholder; a stray brace is left, and refused.
  private static String plain(DefinedTool tool) {
    return HttpTool.PLACEHOLDER.matcher(tool.url()).replaceAll("x");
  }

  private Tool tool(String name, DefinedTool tool) {
    var called = URI.create(plain(tool));
    var settings =
        new ToolSettings.Http(
            tool.url(),
            tool.method(),
            tool.description(),
            "{}",
            headers(tool),
            null,
            null,
            tool.timeout());
    return new HttpTool(
        settings,
        new Tool.Description(
            name,
            tool.description(),
            tool.parameters().orElse(ANYTHING),
            Tool.Execution.valueOf(tool.execution().toUpperCase(Locale.ROOT)),
            "http"),
        outbound,
        secrets,
        (value, graph, sent) ->
            SecretUse.parse(value).map(it -> released.value(it, graph, called, sent)).orElse(value),
        CallerTokens.NONE);
  }

  private static Map<String, String> headers(DefinedTool tool) {
    var headers = new HashMap<String, String>();
    for (var name : tool.headers().asMap().keySet()) {
      headers.put(name, tool.headers().textOrEmpty(name));
    }
    return headers;
  }
}
