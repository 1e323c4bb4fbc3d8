package dev.superstep.node.tool;

import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.Schemas;
import dev.superstep.secret.SecretReference;
import dev.superstep.settings.Setting;
import dev.superstep.state.ObjectValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The tools of this server, beside those that are Spring beans.
///
/// @param http name → web service
/// @param mcp name → MCP server; its tools are called `<name>_<tool>`
/// @param atMostOnce names of tools, of any source, whose calls may not be repeated when their
///   outcome is unknown
/// @param resultMax largest result that a model is told; longer ones are cut
/// @param parallelMax calls of one assistant message that run at a time
@ConfigurationProperties("superstep.tools")
record ToolSettings(
    @DefaultValue Map<String, Http> http,
    @DefaultValue Map<String, Mcp> mcp,
    @DefaultValue List<String> atMostOnce,
    @DefaultValue("64KB") DataSize resultMax,
    @DefaultValue("16") int parallelMax) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Duration TIME_MIN = Duration.ofMillis(1);
  private static final Duration TIME_MAX = Duration.ofDays(1);

  ToolSettings {
    http = Map.copyOf(http);
    mcp = Map.copyOf(mcp);
    atMostOnce = List.copyOf(atMostOnce);
    http.forEach((name, tool) -> {
      requireName("superstep.tools.http", name);
      tool.check("superstep.tools.http." + name);
    });
    mcp.forEach((name, server) -> {
      requireName("superstep.tools.mcp", name);
      server.check("superstep.tools.mcp." + name);
    });
    new Setting("superstep.tools.result-max").size(resultMax);
    new Setting("superstep.tools.parallel-max").within(1, 1_000, parallelMax);
  }

  private static void requireName(String property, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new Setting(property)
          .invalid("has '%s', which is no name: %s".formatted(name, NAME.pattern()));
    }
  }

  Tool.Execution execution(String name) {
    return atMostOnce.contains(name) ? Tool.Execution.AT_MOST_ONCE : Tool.Execution.IDEMPOTENT;
  }

  private static void requireKey(String property, @Nullable String apiKey) {
    if (apiKey != null && SecretReference.parse(apiKey).isEmpty()) {
      throw new Setting(property + ".api-key").invalid(SecretReference.FORMS);
    }
  }

  /// @param url where to call; `{argument}` in it stands for that argument
  /// @param method with a body for POST, PUT, PATCH: what the URL does not name, as JSON; for
  ///   others it is the query
  /// @param description for the model
  /// @param parameters JSON Schema of the arguments, as JSON text
  /// @param headers name → value, or where a secret one is kept
  /// @param apiKey where the bearer token is kept: `env:NAME`, `file:/path`, `property:name`
  /// @param timeout of one call
  record Http(
      @DefaultValue("") String url,
      @DefaultValue("POST") String method,
      @DefaultValue("") String description,
      @DefaultValue("{\"type\":\"object\"}") String parameters,
      @DefaultValue Map<String, String> headers,
      @Nullable String apiKey,
      @DefaultValue("1m") Duration timeout) {

    ObjectValue schema() {
      return (ObjectValue) Json.read(parameters);
    }

    private void check(String property) {
      if (!url.matches("(?i)https?://.+")) {
        throw new Setting(property + ".url").invalid("must be an http or https URL");
      }
      if (!method.matches("GET|POST|PUT|PATCH|DELETE")) {
        throw new Setting(property + ".method").invalid("must be GET, POST, PUT, PATCH or DELETE");
      }
      if (!isSchema(parameters)) {
        throw new Setting(property + ".parameters").invalid("must be a JSON Schema, as JSON text");
      }
      requireKey(property, apiKey);
      new Setting(property + ".timeout").within(TIME_MIN, TIME_MAX, timeout);
    }

    private static boolean isSchema(String text) {
      try {
        return Json.read(text) instanceof ObjectValue schema && Schemas.compile(schema) != null;
      } catch (JsonException | InvalidSchemaException _) {
        return false;
      }
    }
  }

  /// @param url of the server's streamable HTTP endpoint
  /// @param apiKey where the bearer token is kept
  /// @param timeout of one request
  /// @param refresh how long its list of tools counts
  record Mcp(
      @DefaultValue("") String url,
      @Nullable String apiKey,
      @DefaultValue("1m") Duration timeout,
      @DefaultValue("5m") Duration refresh) {

    private void check(String property) {
      if (!url.matches("(?i)https?://.+")) {
        throw new Setting(property + ".url").invalid("must be an http or https URL");
      }
      requireKey(property, apiKey);
      new Setting(property + ".timeout").within(TIME_MIN, TIME_MAX, timeout);
      new Setting(property + ".refresh").within(TIME_MIN, TIME_MAX, refresh);
    }
  }
}
