package dev.superstep.node.tool.source;

import dev.superstep.engine.pool.WorkPermits;
import dev.superstep.json.Json;
import dev.superstep.node.PlainData;
import dev.superstep.node.tool.Tool;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// A tool of an MCP server. The idempotency key goes along in the request's `_meta`.
///
/// @param name as the server names it
record McpTool(String name, Description description, McpTools server) implements Tool {

  @Override
  public Outcome call(Invocation invocation) throws InterruptedException {
    var request =
        new McpSchema.CallToolRequest(
            name, PlainData.toJava(invocation.arguments()), meta(invocation));
    try (var _ = WorkPermits.releaseDuringIo()) {
      var result = server.connected().callTool(request);
      var text = server.scrub(text(result));
      return Boolean.TRUE.equals(result.isError())
          ? new Outcome.Erred(text)
          : new Outcome.Answered(text);
    } catch (McpError e) {
      return new Outcome.Erred(server.scrub(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return new Outcome.Unknown(server.scrub("the MCP server did not answer: " + e.getMessage()));
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
    return text.isEmpty() && structured != null ? Json.write(PlainData.toValue(structured)) : text;
  }
}
