package dev.superstep.node.tool;

import dev.superstep.engine.Foreground;
import dev.superstep.node.PlainData;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import dev.superstep.state.ObjectValue;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tools of one MCP server, which the operator registered, over streamable HTTP. It is
/// connected to when its tools are first asked for; while it is away its last list counts.
final class McpTools implements ToolSource {
  private static final Logger LOG = LoggerFactory.getLogger(McpTools.class);

  /// How soon a server that could not be reached is tried again.
  private static final Duration PAUSE = Duration.ofSeconds(15);

  private final String name;
  private final ToolSettings settings;
  private final ToolSettings.Mcp server;
  private final Secrets secrets;
  private volatile List<Tool> tools = List.of();
  private volatile long listAgainAt = System.nanoTime();
  private @Nullable McpSyncClient client;

  McpTools(String name, ToolSettings settings, ToolSettings.Mcp server, Secrets secrets) {
    this.name = name;
    this.settings = settings;
    this.server = server;
    this.secrets = secrets;
  }

  @Override
  public List<Tool> tools() {
    if (System.nanoTime() - listAgainAt >= 0) {
      // Graphs are compiled with this: others wait for the same graph.
      try (var _ = Foreground.aside()) {
        list();
      }
    }
    return tools;
  }

  private synchronized void list() {
    if (System.nanoTime() - listAgainAt < 0) {
      return;
    }
    try {
      tools = connected().listTools().tools().stream().<Tool>map(this::tool).toList();
      listAgainAt = System.nanoTime() + server.refresh().toNanos();
    } catch (RuntimeException e) {
      listAgainAt = System.nanoTime() + PAUSE.toNanos();
      LOG.warn(
          "MCP server '{}' does not say what tools it has; it is asked again in {} s, and those known ({}) stay",
          name,
          PAUSE.toSeconds(),
          tools.size(),
          e);
    }
  }

  private McpTool tool(McpSchema.Tool found) {
    var full = "%s_%s".formatted(name, found.name());
    var schema =
        PlainData.toValue(found.inputSchema()) instanceof ObjectValue object
            ? object
            : ObjectValue.empty();
    return new McpTool(
        found.name(),
        new Tool.Description(
            full,
            Optional.ofNullable(found.description()).orElse(""),
            schema,
            settings.execution(full),
            "mcp"),
        this);
  }

  /// The connection to the server, which is shared by all calls; the client itself begins a new
  /// session when the server has forgotten this one.
  synchronized McpSyncClient connected() {
    var open = client;
    if (open == null) {
      open = connect();
      client = open;
    }
    return open;
  }

  private McpSyncClient connect() {
    var url = URI.create(server.url());
    var root = "%s://%s".formatted(url.getScheme(), url.getRawAuthority());
    var path = server.url().substring(root.length());
    var transport =
        HttpClientStreamableHttpTransport.builder(root)
            .endpoint(path.isEmpty() ? "/mcp" : path)
            .openConnectionOnStartup(false)
            .connectTimeout(server.timeout())
            .httpRequestCustomizer((request, _, _, _, _) ->
                key().ifPresent(it -> request.setHeader("Authorization", "Bearer " + it)))
            .build();
    var made =
        McpClient.sync(transport)
            .clientInfo(McpSchema.Implementation.builder("superstep", "1").build())
            .requestTimeout(server.timeout())
            .initializationTimeout(server.timeout())
            .build();
    try {
      made.initialize();
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /// What the server wrote, without the key should it be in there.
  String scrub(String text) {
    return key().map(it -> text.replace(it, "***")).orElse(text);
  }

  private Optional<String> key() {
    return Optional.ofNullable(server.apiKey())
        .flatMap(SecretReference::parse)
        .map(secrets::resolve);
  }
}
