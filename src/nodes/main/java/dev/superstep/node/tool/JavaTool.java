package dev.superstep.node.tool;

import dev.superstep.engine.node.WorkPermits;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.state.value.ObjectValue;
import java.util.Map;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolExecutionException;

/// A tool written in Java: a `@Tool` method of a bean, or a `ToolCallback`.
///
/// A method with a `ToolContext` parameter finds `idempotency_key` and `run` in it.
record JavaTool(ToolCallback callback, Description description) implements Tool {

  static JavaTool of(ToolCallback callback, ToolSettings settings) {
    var definition = callback.getToolDefinition();
    return new JavaTool(
        callback,
        new Description(
            definition.name(),
            definition.description(),
            schema(definition.inputSchema()),
            settings.execution(definition.name()),
            "java"));
  }

  private static ObjectValue schema(String text) {
    try {
      return Json.read(text) instanceof ObjectValue schema ? schema : ObjectValue.empty();
    } catch (JsonException _) {
      return ObjectValue.empty();
    }
  }

  @Override
  public Outcome call(Invocation invocation) throws InterruptedException {
    var context =
        new ToolContext(
            Map.of("idempotency_key", invocation.idempotencyKey(), "run", invocation.run()));
    try (var _ = WorkPermits.releaseDuringIo()) {
      return new Outcome.Answered(callback.call(Json.write(invocation.arguments()), context));
    } catch (ToolExecutionException e) {
      if (e.getCause() instanceof InterruptedException || Thread.interrupted()) {
        throw new InterruptedException();
      }
      return new Outcome.Erred(String.valueOf(e.getMessage()));
    }
  }
}
