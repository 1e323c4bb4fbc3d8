package dev.superstep.langgraph.protocol;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// Writes calls of tools as this protocol names what happens to them.
final class ToolEvents {
  private static final Value START = Value.of("on_tool_start");
  private static final Value ERROR = Value.of("on_tool_error");

  private ToolEvents() {}

  /// @param call as streams of runs write it
  static ObjectValue of(ObjectValue call) {
    var kind = call.getOr("event", Value.NULL);
    var event =
        ObjectValue.builder()
            .put("tool_call_id", call.getOr("toolCallId", Value.NULL))
            .put("tool_name", call.getOr("name", Value.NULL));
    if (kind.equals(START)) {
      event.put("event", Value.of("tool-started")).put("input", call.getOr("input", Value.NULL));
    } else if (kind.equals(ERROR)) {
      event.put("event", Value.of("tool-error")).put("message", call.getOr("error", Value.NULL));
    } else {
      event.put("event", Value.of("tool-finished")).put("output", call.getOr("output", Value.NULL));
    }
    return event.build();
  }
}
