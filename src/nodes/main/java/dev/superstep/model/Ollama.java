package dev.superstep.model;

import dev.superstep.model.AnswerDraft.BrokenException;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelHttp.Framing;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Ollama's chat.
final class Ollama implements Protocol {
  /// Ours → Ollama's.
  private static final Map<String, String> OPTIONS =
      Map.of(
          "temperature", "temperature",
          "top_p", "top_p",
          "top_k", "top_k",
          "frequency_penalty", "frequency_penalty",
          "presence_penalty", "presence_penalty",
          "seed", "seed",
          "max_tokens", "num_predict");

  @Override
  public String path() {
    return "/api/chat";
  }

  /// Ollama itself knows no keys; a proxy before it may.
  @Override
  public Map<String, String> headers(String key) {
    return key.isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + key);
  }

  @Override
  public ObjectValue body(ModelQuestion question) throws ModelException {
    var request = question.request();
    var messages = ListValue.builder();
    for (var message : question.messages()) {
      addMessage(messages, message);
    }
    var body =
        ObjectValue.builder()
            .put("model", question.model())
            .put("messages", messages.build())
            .put("options", options(question.options()))
            .put("stream", Value.of(question.isStreamed()));
    if (!request.tools().isEmpty()) {
      body.put("tools", ListValue.of(request.tools().stream().map(OpenAi::tool).toList()));
    }
    request.outputSchema().ifPresent(it -> body.put("format", it));
    return body.build();
  }

  private static ObjectValue options(ModelOptions options) {
    var to = ObjectValue.builder();
    OPTIONS.forEach((ours, theirs) -> options.find(ours).ifPresent(it -> to.put(theirs, it)));
    options.stop().ifPresent(it -> to.put("stop", it));
    return to.build();
  }

  private static void addMessage(ListValue.Builder to, ChatMessage message) throws ModelException {
    switch (message) {
      case ChatMessage.Instructions(var text) -> to.add(OpenAi.said("system", Value.of(text)));
      case ChatMessage.User(var text, var images) -> to.add(user(text, images));
      case ChatMessage.Assistant(var text, var calls) when calls.isEmpty() ->
          to.add(OpenAi.said("assistant", Value.of(text)));
      case ChatMessage.Assistant(var text, var calls) ->
          to.add(
              OpenAi.said("assistant", Value.of(text))
                  .plus("tool_calls", ListValue.of(calls.stream().map(Ollama::call).toList())));
      case ChatMessage.Results(var results) ->
          results.forEach(
              it -> to.add(OpenAi.said("tool", Value.of(it.text())).plus("tool_name", it.name())));
    }
  }

  private static ObjectValue user(String text, List<String> images) throws ModelException {
    var said = OpenAi.said("user", Value.of(text));
    if (images.isEmpty()) {
      return said;
    }
    var inlined = ListValue.builder();
    for (var image : images) {
      var found = ChatMessage.Inlined.of(image);
      if (found.isEmpty()) {
        throw ChatMessage.bad(
            "Ollama fetches no images; an image_url must hold it: data:image/png;base64,…");
      }
      inlined.add(Value.of(found.get().base64()));
    }
    return said.plus("images", inlined.build());
  }

  private static ObjectValue call(ToolCall call) {
    return ObjectValue.of(
        "function",
        ObjectValue.of("name", call.name()).plus("arguments", Anthropic.arguments(call)));
  }

  @Override
  public void read(JsonNode answer, AnswerDraft draft) {
    if (!readLine(answer, draft)) {
      throw new BrokenException("the model's answer broke off");
    }
  }

  @Override
  public Framing framing() {
    return Framing.LINES;
  }

  @Override
  public boolean readPiece(String piece, AnswerDraft draft) {
    return readLine(AnswerJson.read(piece), draft);
  }

  /// @return whether it is the last
  private static boolean readLine(JsonNode line, AnswerDraft draft) {
    if (line.hasNonNull("error")) {
      throw BrokenException.of(line.path("error"));
    }
    if (!line.isObject()) {
      throw new BrokenException("the model's answer is no object");
    }
    var message = line.path("message");
    draft.named(AnswerJson.text(line, "model"));
    draft.addText(AnswerJson.text(message, "content"));
    for (var call : message.path("tool_calls")) {
      var function = call.path("function");
      draft
          .call(draft.callCount())
          .add(
              AnswerJson.text(call, "id"),
              AnswerJson.text(function, "name"),
              function.path("arguments").isObject() ? function.path("arguments").toString() : "");
    }
    boolean done = line.path("done").asBoolean(false);
    if (done) {
      var reason = AnswerJson.text(line, "done_reason");
      draft.endsFor(reason.isEmpty() ? "stop" : reason);
      draft.takesInput(AnswerJson.number(line.path("prompt_eval_count")));
      draft.takesOutput(AnswerJson.number(line.path("eval_count")));
    }
    return done;
  }
}
