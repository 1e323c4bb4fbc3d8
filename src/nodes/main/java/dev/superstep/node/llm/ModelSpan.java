package dev.superstep.node.llm;

import dev.superstep.engine.node.Span;
import dev.superstep.json.Json;
import dev.superstep.model.Model;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelRequest;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// The span of a model call, named by OpenTelemetry's conventions.
final class ModelSpan {
  private ModelSpan() {}

  static Span begin(Span parent, Model model, ModelRequest request) {
    if (!parent.isRecorded()) {
      return parent.begin("", Span.Kind.CLIENT);
    }
    var span = parent.begin("chat " + model.providerModel(), Span.Kind.CLIENT);
    span.setAttribute("gen_ai.operation.name", "chat");
    span.setAttribute("gen_ai.provider.name", model.provider());
    span.setAttribute("gen_ai.request.model", model.providerModel());
    span.setAttribute("gen_ai.output.type", request.outputSchema().isPresent() ? "json" : "text");
    span.setAttribute("superstep.model", model.name());
    options(span, model.standardOptions().plusAll(request.options()));
    if (span.takesContent()) {
      span.setAttribute("gen_ai.input.messages", Json.write(ListValue.of(messages(request))));
    }
    return span;
  }

  private static List<Value> messages(ModelRequest request) {
    return request.messages().stream()
        .map(it -> message(it.getOr("role", Value.of("user")), it.getOr("content", Value.of(""))))
        .toList();
  }

  private static Value message(Value role, Value content) {
    var part = ObjectValue.of("type", Value.of("text")).plus("content", content);
    return ObjectValue.of("role", role).plus("parts", ListValue.of(part));
  }

  private static void options(Span span, ObjectValue options) {
    options.forEach((name, value) -> {
      var key = "gen_ai.request." + name;
      switch (value) {
        case Value.Int(long number) -> span.setAttribute(key, number);
        case Value.Real(double number) -> span.setAttribute(key, number);
        case Value _ -> {}
      }
    });
  }

  static void record(Span span, ModelAnswer answer) {
    if (!span.isRecorded()) {
      return;
    }
    span.setAttribute("gen_ai.response.model", answer.model());
    span.setAttribute("gen_ai.response.finish_reasons", List.of(answer.finishReason()));
    span.setAttribute("gen_ai.usage.input_tokens", answer.usage().input());
    span.setAttribute("gen_ai.usage.output_tokens", answer.usage().output());
    if (span.takesContent()) {
      var said = message(Value.of("assistant"), Value.of(answer.text()));
      span.setAttribute("gen_ai.output.messages", Json.write(ListValue.of(said)));
    }
  }
}
