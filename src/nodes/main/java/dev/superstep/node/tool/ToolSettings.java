package dev.superstep.node.tool;

import dev.superstep.context.Glob;
import dev.superstep.json.InvalidSchemaException;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.Schemas;
import dev.superstep.problem.Setting;
import dev.superstep.secret.OnBehalfOf;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.ToolsOnBehalf;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
/// @param resultMax largest result passed to a model; longer ones are cut
/// @param parallelMax calls of one assistant message that run at a time
/// @param callsMax calls of one assistant message that are carried out; further ones get an error
///   result
/// @param policies what graphs may do with the tools of this server
@ConfigurationProperties("superstep.tools")
record ToolSettings(
    @DefaultValue Map<String, Http> http,
    @DefaultValue Map<String, Mcp> mcp,
    @DefaultValue List<String> atMostOnce,
    @DefaultValue("64KB") DataSize resultMax,
    @DefaultValue("16") int parallelMax,
    @DefaultValue("64") int callsMax,
    @DefaultValue List<PolicySettings> policies) {
  /// The same as when nothing is set.
  static final ToolSettings UNSET =
      new ToolSettings(Map.of(), Map.of(), List.of(), DataSize.ofKilobytes(64), 16, 64, List.of());

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Duration TIME_MIN = Duration.ofMillis(1);
  private static final Duration TIME_MAX = Duration.ofDays(1);

  public ToolSettings {
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
    new Setting("superstep.tools.calls-max").within(1, 1_000, callsMax);
    policies = List.copyOf(policies);
    for (int i = 0; i < policies.size(); i++) {
      policies.get(i).check("superstep.tools.policies[%d]".formatted(i));
    }
  }

  /// The tools that need a token of who has started a run.
  public ToolsOnBehalf onBehalf() {
    var found = new TreeMap<String, OnBehalfOf>();
    http.forEach((name, tool) -> {
      if (tool.onBehalfOf() != null) {
        found.put("superstep.tools.http.%s.on-behalf-of".formatted(name), tool.onBehalfOf());
      }
    });
    mcp.forEach((name, server) -> {
      if (server.onBehalfOf() != null) {
        found.put("superstep.tools.mcp.%s.on-behalf-of".formatted(name), server.onBehalfOf());
      }
    });
    return new ToolsOnBehalf(found);
  }

  /// Whether models can call a tool of this name.
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  private static void requireName(String property, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new Setting(property)
          .invalid("has '%s', which is no name: %s".formatted(name, NAME.pattern()));
    }
  }

  public Tool.Execution execution(String name) {
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
  /// @param onBehalfOf whose token is sent in its place
  /// @param timeout of one call
  public record Http(
      @DefaultValue("") String url,
      @DefaultValue("POST") String method,
      @DefaultValue("") String description,
      @DefaultValue("{\"type\":\"object\"}") String parameters,
      @DefaultValue Map<String, String> headers,
      @Nullable String apiKey,
      @Nullable OnBehalfOf onBehalfOf,
      @DefaultValue("1m") Duration timeout) {

    public ObjectValue schema() {
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
      if (onBehalfOf != null) {
        onBehalfOf.check(property + ".on-behalf-of");
        checkSoleCredential(property + ".on-behalf-of");
      }
    }

    private void checkSoleCredential(String property) {
      if (apiKey != null || headers.keySet().stream().anyMatch("Authorization"::equalsIgnoreCase)) {
        throw new Setting(property)
            .invalid("has a token sent, and so has api-key or a header Authorization; keep one");
      }
      if (OnBehalfOf.hasPlaceInHost(url)) {
        throw new Setting(property)
            .invalid("is for one host: an argument in it could have the token sent to another");
      }
    }

    private static boolean isSchema(String text) {
      try {
        return Json.read(text) instanceof ObjectValue schema && Schemas.compile(schema) != null;
      } catch (JsonException | InvalidSchemaException _) {
        return false;
      }
    }
  }

  /// Whether a person has to approve calls.
  enum Asking {
    /// As the definition declares.
    DEFINED,
    /// Whatever the definition declares.
    ALWAYS,
    /// The same, and not who has started the run.
    OTHER_THAN_STARTER
  }

  /// @param tools patterns of names, such as `docs_*`
  /// @param graphs patterns of the graphs that may use them; none: all
  /// @param approval whether a person has to approve each call
  /// @param callsPerRunMax most calls of one tool by a run and the runs that it has begun
  /// @param callsPerMessageMax most calls of one tool in an assistant message
  /// @param condition CEL over the call, `input.arguments` and `input.name`; a call for which it is
  ///   not true is refused
  public record PolicySettings(
      @DefaultValue List<String> tools,
      @DefaultValue List<String> graphs,
      @DefaultValue("defined") Asking approval,
      @Nullable Integer callsPerRunMax,
      @Nullable Integer callsPerMessageMax,
      @Nullable String condition) {
    private static final int CALLS_MAX = 1_000_000;

    public PolicySettings {
      tools = List.copyOf(tools);
      graphs = List.copyOf(graphs);
    }

    private void check(String property) {
      if (tools.isEmpty()) {
        throw new Setting(property + ".tools").invalid("must name at least one tool, or * for all");
      }
      checkPatterns(property + ".tools", tools);
      checkPatterns(property + ".graphs", graphs);
      if (callsPerRunMax != null) {
        new Setting(property + ".calls-per-run-max").within(1, CALLS_MAX, callsPerRunMax);
      }
      if (callsPerMessageMax != null) {
        new Setting(property + ".calls-per-message-max").within(1, CALLS_MAX, callsPerMessageMax);
      }
    }

    private static void checkPatterns(String property, List<String> patterns) {
      for (var pattern : patterns) {
        Glob.refusal(pattern)
            .ifPresent(it -> {
              throw new Setting(property).invalid(it);
            });
      }
    }
  }

  /// @param url of the server's streamable HTTP endpoint
  /// @param apiKey where the bearer token is kept
  /// @param onBehalfOf whose token is sent when a tool is called; its tools are listed with the key
  /// @param timeout of one request
  /// @param refresh how long its list of tools counts
  /// @param answerMax size of one answer, and of the whole list of its tools
  /// @param toolsMax most tools of the server
  /// @param listWait how long a call waits while the list is fetched; then it gets the last one
  public record Mcp(
      @DefaultValue("") String url,
      @Nullable String apiKey,
      @Nullable OnBehalfOf onBehalfOf,
      @DefaultValue("1m") Duration timeout,
      @DefaultValue("5m") Duration refresh,
      @DefaultValue("4MB") DataSize answerMax,
      @DefaultValue("500") int toolsMax,
      @DefaultValue("3s") Duration listWait) {
    private static final int TOOLS_MAX = 100_000;

    private void check(String property) {
      if (!url.matches("(?i)https?://.+")) {
        throw new Setting(property + ".url").invalid("must be an http or https URL");
      }
      requireKey(property, apiKey);
      new Setting(property + ".timeout").within(TIME_MIN, TIME_MAX, timeout);
      new Setting(property + ".refresh").within(TIME_MIN, TIME_MAX, refresh);
      new Setting(property + ".answer-max").size(answerMax);
      new Setting(property + ".tools-max").within(1, TOOLS_MAX, toolsMax);
      new Setting(property + ".list-wait").within(TIME_MIN, TIME_MAX, listWait);
      if (onBehalfOf != null) {
        onBehalfOf.check(property + ".on-behalf-of");
      }
    }
  }
}
