package dev.superstep.langgraph.run;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;

/// Writes the calls of tools of one run: their begin when the message that asks for them is
/// committed, their end with the message that answers.
final class ToolFrames {
  private final Emitter emitter;

  ToolFrames(Emitter emitter) {
    this.emitter = emitter;
  }

  /// A message of a committed task, as channels store it.
  void committed(ObjectValue message) throws IOException {
    if (message.get("tool_calls") instanceof ListValue calls) {
      for (var call : calls) {
        if (call instanceof ObjectValue asked) {
          emitter.emit(StreamMode.TOOLS, () -> started(asked));
        }
      }
    }
    if (Value.of("tool").equals(message.get("role"))) {
      emitter.emit(StreamMode.TOOLS, () -> ended(message));
    }
  }

  private static ObjectValue started(ObjectValue call) {
    return ObjectValue.builder()
        .put("event", Value.of("on_tool_start"))
        .put("toolCallId", call.getOr("id", Value.NULL))
        .put("name", call.getOr("name", Value.NULL))
        .put("input", call.getOr("arguments", Value.NULL))
        .build();
  }

  private static ObjectValue ended(ObjectValue answer) {
    boolean isError = Value.TRUE.equals(answer.get("is_error"));
    return ObjectValue.builder()
        .put("event", Value.of(isError ? "on_tool_error" : "on_tool_end"))
        .put("toolCallId", answer.getOr("tool_call_id", Value.NULL))
        .put("name", answer.getOr("name", Value.NULL))
        .put(isError ? "error" : "output", answer.getOr("content", Value.NULL))
        .build();
  }
}
