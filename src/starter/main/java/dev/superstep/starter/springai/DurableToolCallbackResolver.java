package dev.superstep.starter.springai;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;

/// Finds durable tools by their names.
record DurableToolCallbackResolver(ToolCallbackResolver resolver) implements ToolCallbackResolver {

  @Override
  public @Nullable ToolCallback resolve(String toolName) {
    var found = resolver.resolve(toolName);
    return found == null ? null : DurableToolCallback.of(found);
  }
}
