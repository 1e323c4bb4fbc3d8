package dev.superstep.node.tool;

import dev.superstep.engine.node.WorkPermits;
import dev.superstep.json.Json;
import dev.superstep.node.PlainData;
import dev.superstep.secret.CallerTokens;
import dev.superstep.secret.CallerTokens.CallerToken;
import dev.superstep.secret.CallerTokens.TokenSearch;
import dev.superstep.secret.SecretReference;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tools of one MCP server, which the operator registered, over streamable HTTP. Connects when
/// the tools are first needed; while the server is unreachable its last list is used.
final class McpTools implements ToolSource {
  private static final Logger LOG = LoggerFactory.getLogger(McpTools.class);

  /// How soon a server that could not be reached is tried again.
  private static final Duration PAUSE = Duration.ofSeconds(15);

  private static final int NAME_SHOWN = 80;
  private static final int PAGES_MAX = 100;

  private final String name;
  private final ToolSettings settings;
  private final ToolSettings.Mcp server;
  private final Secrets secrets;
  private final CallerTokens tokens;
  private volatile List<Tool> tools = List.of();
  private volatile long listAgainAt = System.nanoTime();
  private volatile @Nullable Listing listing;
  private final BoundedClients http;
  private @Nullable McpSyncClient client;

  public McpTools(
      String name,
      ToolSettings settings,
      ToolSettings.Mcp server,
      Secrets secrets,
      CallerTokens tokens) {
    this.name = name;
    this.tokens = tokens;
    this.settings = settings;
    this.server = server;
    this.secrets = secrets;
    this.http =
        new BoundedClients(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1),
            new AnswerBounds(name, server.answerMax().toBytes(), server.timeout()));
  }

  @Override
  public List<Tool> tools() {
    refresh();
    var waited = listing;
    if (waited != null) {
      // Graphs are compiled with this: others wait for the same graph.
      try (var _ = WorkPermits.releaseForSibling()) {
        waited.await(server.listWait());
      }
    }
    return tools;
  }

  @Override
  public synchronized void refresh() {
    if (listing == null && System.nanoTime() - listAgainAt >= 0) {
      var begun = new Listing(new CountDownLatch(1), System.nanoTime());
      listing = begun;
      Thread.ofVirtual()
          .name("mcp-list-" + name)
          .start(() -> {
            try {
              list();
            } finally {
              listing = null;
              begun.done().countDown();
            }
          });
    }
  }

  /// A list that is being fetched.
  private record Listing(CountDownLatch done, long begunAt) {
    /// Waits for it, but for no longer than `atMost` after the server was asked.
    void await(Duration atMost) {
      try {
        var _ = done.await(begunAt + atMost.toNanos() - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void list() {
    try {
      tools = listed(connected());
      listAgainAt = System.nanoTime() + server.refresh().toNanos();
    } catch (RuntimeException e) {
      listAgainAt = System.nanoTime() + PAUSE.toNanos();
      LOG.warn(
          "could not list the tools of MCP server '{}'; retrying in {} s, the {} known tools stay"
              + " in use",
          name,
          PAUSE.toSeconds(),
          tools.size(),
          e);
    }
  }

  /// Page by page: a server may always name another one.
  private List<Tool> listed(McpSyncClient client) {
    var found = new ArrayList<Tool>();
    long size = 0;
    String page = null;
    for (int i = 0; i < PAGES_MAX; i++) {
      var answer = client.listTools(page);
      for (var tool : answer.tools()) {
        var known = tool(tool);
        size += size(known.description());
        if (ToolSettings.isName(known.description().name())) {
          found.add(known);
        } else {
          LOG.warn(
              "MCP server '{}' has a tool whose name models cannot call, which is left out: {}",
              name,
              shown(tool.name()));
        }
      }
      if (found.size() > server.toolsMax()) {
        throw new IllegalStateException(
            "it has more than the %d tools of tools-max".formatted(server.toolsMax()));
      }
      if (size > server.answerMax().toBytes()) {
        throw new IllegalStateException(
            "what it says about its tools is longer than the %d bytes of answer-max"
                .formatted(server.answerMax().toBytes()));
      }
      page = answer.nextCursor();
      if (page == null || page.isEmpty()) {
        return List.copyOf(found);
      }
    }
    throw new IllegalStateException("its list has more than %d pages".formatted(PAGES_MAX));
  }

  /// A name that a stranger chose, on one line of the log.
  private static String shown(String name) {
    var plain = name.replaceAll("[^A-Za-z0-9_. -]", "?");
    return plain.length() > NAME_SHOWN ? plain.substring(0, NAME_SHOWN) + "…" : plain;
  }

  private static long size(Tool.Description description) {
    return (long) description.name().length()
        + description.text().length()
        + Canonical.size(description.inputSchema());
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
      open = connect(this::key);
      client = open;
    }
    return open;
  }

  /// @param bearer what each request is sent with
  private McpSyncClient connect(Supplier<Optional<String>> bearer) {
    var url = URI.create(server.url());
    var root = "%s://%s".formatted(url.getScheme(), url.getRawAuthority());
    var path = server.url().substring(root.length());
    var transport =
        HttpClientStreamableHttpTransport.builder(root)
            .clientBuilder(http)
            .endpoint(path.isEmpty() ? "/mcp" : path)
            .openConnectionOnStartup(false)
            .connectTimeout(server.timeout())
            .httpRequestCustomizer((request, _, _, _, _) ->
                bearer.get().ifPresent(it -> request.setHeader("Authorization", "Bearer " + it)))
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

  /// The server's message, with what it was sent removed.
  String scrub(String text, Optional<CallerToken> token) {
    var clean = key().map(it -> text.replace(it, "***")).orElse(text);
    return token.map(it -> clean.replace(it.value(), "***")).orElse(clean);
  }

  /// A call on behalf of somebody has a session of its own: what the server keeps in one must not
  /// serve another subject.
  private McpSchema.CallToolResult call(
      McpSchema.CallToolRequest request, Optional<CallerToken> token) {
    if (token.isEmpty()) {
      return connected().callTool(request);
    }
    try (var session = connect(() -> token.map(CallerToken::value))) {
      return session.callTool(request);
    }
  }

  private Optional<String> key() {
    return Optional.ofNullable(server.apiKey())
        .flatMap(SecretReference::parse)
        .map(secrets::resolve);
  }

  /// A tool of an MCP server. The idempotency key goes along in the request's `_meta`.
  ///
  /// @param name as the server names it
  private record McpTool(String name, Description description, McpTools server) implements Tool {

    @Override
    public TokenSearch token(String run) throws InterruptedException {
      var wanted = server.server.onBehalfOf();
      return wanted == null ? new TokenSearch.NotNeeded() : server.tokens.find(run, wanted);
    }

    @Override
    public Outcome call(Invocation invocation) throws InterruptedException {
      var token = invocation.token();
      if (server.server.onBehalfOf() != null && token.isEmpty()) {
        return new Outcome.Erred("the tool is called with a token, and there is none");
      }
      var request =
          new McpSchema.CallToolRequest(
              name, PlainData.toJava(invocation.arguments()), meta(invocation));
      try (var _ = WorkPermits.releaseDuringIo()) {
        var result = server.call(request, token);
        var text = server.scrub(text(result), token);
        return Boolean.TRUE.equals(result.isError())
            ? new Outcome.Erred(text)
            : new Outcome.Answered(text);
      } catch (McpError e) {
        return new Outcome.Erred(server.scrub(String.valueOf(e.getMessage()), token));
      } catch (RuntimeException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        return new Outcome.Unknown(
            server.scrub("the MCP server did not answer: " + e.getMessage(), token));
      }
    }

    private static Map<String, Object> meta(Invocation invocation) {
      var meta = new HashMap<String, Object>();
      meta.put("superstep/idempotency_key", invocation.idempotencyKey());
      invocation.span().traceparent().ifPresent(it -> meta.put("traceparent", it));
      return meta;
    }

    private static String text(McpSchema.CallToolResult result) {
      var text =
          result.content().stream()
              .map(it ->
                  it instanceof McpSchema.TextContent words
                      ? words.text()
                      : "(content of type %s)".formatted(it.type()))
              .collect(Collectors.joining("\n"));
      var structured = result.structuredContent();
      return text.isEmpty() && structured != null
          ? Json.write(PlainData.toValue(structured))
          : text;
    }
  }
}
