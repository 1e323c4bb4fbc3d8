package dev.superstep.node.spec;

import java.time.Duration;
import java.util.Map;

/// The table ToolDefinition of the language.
public interface ToolSpec {
  /// For the model
  ToolSpec description(String value);

  /// Whether a call whose outcome is unknown may be repeated: idempotent, at_most_once
  ToolSpec execution(String value);

  /// Header to value; secret:<name> for a secret that the operator released
  @Key(form = Key.Form.MEMBER)
  ToolSpec headers(String name, String value);

  /// With a body for POST, PUT, PATCH, else a query: GET, POST, PUT, PATCH, DELETE
  ToolSpec method(String value);

  /// JSON Schema of the arguments
  ToolSpec parameters(Map<String, ?> value);

  /// Of one call
  ToolSpec timeout(Duration value);

  /// http or https; {argument} behind the host stands for an argument
  ToolSpec url(String value);
}
