package dev.superstep.node.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.Span;
import dev.superstep.json.Json;
import dev.superstep.node.tool.Tool.Invocation;
import dev.superstep.node.tool.Tool.Outcome;
import dev.superstep.secret.CallerTokens;
import dev.superstep.secret.OnBehalfOf;
import dev.superstep.secret.Secrets;
import dev.superstep.state.value.ObjectValue;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.unit.DataSize;

/// Tools of a real MCP server, over HTTP.
class McpToolsTests {
  @TempDir Path folder;
  private final Tomcat tomcat = new Tomcat();
  private final List<String> keys = new CopyOnWriteArrayList<>();

  @BeforeEach
  void starts() throws Exception {
    var transport =
        HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
    server(transport);
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    var context = tomcat.addContext("", folder.toString());
    var servlet = Tomcat.addServlet(context, "mcp", transport);
    servlet.setAsyncSupported(true);
    context.addServletMappingDecoded("/mcp", "mcp");
    tomcat.start();
    tomcat.getConnector();
  }

  private McpSyncServer server(HttpServletStreamableServerTransportProvider transport) {
    var schema =
        Map.<String, Object>of(
            "type", "object", "properties", Map.of("word", Map.of("type", "string")));
    var tool = McpSchema.Tool.builder("echo", schema).description("Says it again.").build();
    return McpServer.sync(transport)
        .serverInfo("test", "1")
        .capabilities(McpSchema.ServerCapabilities.builder().tools(true).build())
        .toolCall(
            tool,
            (_, request) -> {
              keys.add(String.valueOf(request.meta().get("superstep/idempotency_key")));
              var word = String.valueOf(request.arguments().get("word"));
              return new McpSchema.CallToolResult(
                  List.of(McpSchema.TextContent.builder(word).build()),
                  word.equals("bad"),
                  null,
                  Map.of());
            })
        .build();
  }

  @AfterEach
  void stops() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  private McpTools tools() {
    return tools(null);
  }

  private McpTools tools(@Nullable OnBehalfOf onBehalfOf) {
    var server =
        new ToolSettings.Mcp(
            "http://127.0.0.1:%d/mcp".formatted(tomcat.getConnector().getLocalPort()),
            null,
            onBehalfOf,
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            DataSize.ofMegabytes(4),
            500,
            Duration.ofSeconds(30));
    var settings =
        new ToolSettings(
            Map.of(),
            Map.of("test", server),
            List.of(),
            DataSize.ofKilobytes(64),
            16,
            64,
            List.of());
    return new McpTools(
        "test", settings, server, new Secrets(new StandardEnvironment()), CallerTokens.NONE);
  }

  @Test
  void findsTheToolsOfTheServer() {
    var tool = tools().tools().getFirst().description();

    assertThat(tool.name()).isEqualTo("test_echo");
    assertThat(tool.text()).isEqualTo("Says it again.");
    assertThat(tool.inputSchema().has("properties")).isTrue();
  }

  @Test
  void callsThemWithTheirKey() throws Exception {
    var tool = tools().tools().getFirst();

    assertThat(call(tool, "hello")).isEqualTo(new Outcome.Answered("hello"));
    assertThat(call(tool, "bad")).isEqualTo(new Outcome.Erred("bad"));
    assertThat(keys).containsExactly("key-1", "key-1");
  }

  @Test
  void knowsNotWhatCameOfACallWhenTheServerIsGone() throws Exception {
    var tools = tools();
    var tool = tools.tools().getFirst();
    tomcat.stop();

    assertThat(call(tool, "hello")).isInstanceOf(Outcome.Unknown.class);
    assertThat(tools.tools()).hasSize(1);
  }

  /// A session for each call on behalf of somebody, over one client.
  @Test
  void callsOnBehalfOfManyWithOneClient() throws Exception {
    var tool =
        tools(new OnBehalfOf(OnBehalfOf.TokenMode.PASS, "test", List.of())).tools().getFirst();
    long before = clients();

    assertThat(call(tool, "hello")).as("without a token").isInstanceOf(Outcome.Erred.class);
    for (int i = 0; i < 5; i++) {
      var ada =
          new Invocation(
              ObjectValue.of("word", "hello"),
              "key-1",
              "run-1",
              "graph",
              Duration.ofSeconds(5),
              Span.NONE,
              Optional.of(new CallerTokens.CallerToken("token-" + i)));
      assertThat(tool.call(ada)).isEqualTo(new Outcome.Answered("hello"));
    }
    assertThat(clients()).isLessThanOrEqualTo(before);
  }

  private static long clients() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().endsWith("SelectorManager"))
        .count();
  }

  private static Outcome call(Tool tool, String word) throws Exception {
    var arguments = (ObjectValue) Json.read("{\"word\":\"%s\"}".formatted(word));
    return tool.call(
        new Invocation(
            arguments,
            "key-1",
            "run-1",
            "graph",
            Duration.ofSeconds(5),
            Span.NONE,
            Optional.empty()));
  }
}
