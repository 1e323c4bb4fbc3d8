package dev.superstep.node.tool.call;

import dev.superstep.engine.node.Span;
import dev.superstep.json.Json;
import dev.superstep.node.tool.Tool;

/// The span of a tool call, named by OpenTelemetry's conventions.
final class ToolSpan {
  private ToolSpan() {}

  static Span begin(Span parent, ToolCallPlan.Run run) {
    if (!parent.isRecorded()) {
      return parent.begin("", Span.Kind.INTERNAL);
    }
    var tool = run.tool().description();
    var span = parent.begin("execute_tool " + tool.name(), Span.Kind.INTERNAL);
    span.setAttribute("gen_ai.operation.name", "execute_tool");
    span.setAttribute("gen_ai.tool.name", tool.name());
    span.setAttribute("gen_ai.tool.call.id", run.call().id());
    span.setAttribute("gen_ai.tool.type", tool.source().equals("java") ? "function" : "extension");
    if (span.takesContent()) {
      span.setAttribute("gen_ai.tool.call.arguments", Json.write(run.arguments()));
    }
    return span;
  }

  static Tool.Outcome record(Span span, Tool.Outcome outcome) {
    switch (outcome) {
      case Tool.Outcome.Answered(var content) -> result(span, content);
      case Tool.Outcome.Erred(var message) -> {
        span.fail("tool_error");
        result(span, message);
      }
      case Tool.Outcome.Unknown _ -> span.fail("tool_outcome_unknown");
    }
    return outcome;
  }

  private static void result(Span span, String content) {
    if (span.takesContent()) {
      span.setAttribute("gen_ai.tool.call.result", content);
    }
  }
}
