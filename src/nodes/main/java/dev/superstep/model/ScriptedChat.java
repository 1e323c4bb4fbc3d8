package dev.superstep.model;

import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.model.scripted.Asked;
import dev.superstep.model.scripted.ScriptedModel;
import dev.superstep.model.scripted.ScriptedModel.Answer;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/// Asks a script instead of a provider.
///
/// @param model as it calls itself
record ScriptedChat(String model, ScriptedModel script) implements Model.Client {

  @Override
  public ModelAnswer call(ModelRequest request, ModelOptions options)
      throws ModelException, InterruptedException, TimeoutException {
    var asked = asked(ChatMessage.of(request.messages()), request.tools());
    return switch (request.delivery()) {
      case ModelRequest.Delivery.Whole _ -> answer(script.answer(asked));
      case ModelRequest.Delivery.Streamed(var readers) ->
          answer(script.answer(asked, readers.get()));
    };
  }

  private ModelAnswer answer(Answer said) {
    var draft = new AnswerDraft(model, _ -> {});
    draft.addText(said.text());
    for (var call : said.calls()) {
      draft.call(draft.callCount()).add(call.id(), call.name(), call.arguments());
    }
    draft.endsFor(said.finish());
    draft.takesInput(said.usage().input());
    draft.takesOutput(said.usage().output());
    return draft.finish();
  }

  private static Asked asked(List<ChatMessage> messages, List<ToolOffer> tools) {
    return new Asked(
        last(messages, "user"),
        messages.stream()
            .filter(it -> role(it).equals("system"))
            .map(ScriptedChat::text)
            .collect(Collectors.joining("\n")),
        last(messages, "tool"),
        messages.isEmpty() ? "" : role(messages.getLast()),
        1 + (int) messages.stream().filter(it -> role(it).equals("assistant")).count(),
        tools.stream().map(ToolOffer::name).collect(Collectors.toSet()));
  }

  private static String last(List<ChatMessage> messages, String role) {
    return messages.reversed().stream()
        .filter(it -> role(it).equals(role))
        .findFirst()
        .map(ScriptedChat::text)
        .orElse("");
  }

  private static String role(ChatMessage message) {
    return switch (message) {
      case ChatMessage.Instructions _ -> "system";
      case ChatMessage.User _ -> "user";
      case ChatMessage.Assistant _ -> "assistant";
      case ChatMessage.Results _ -> "tool";
    };
  }

  private static String text(ChatMessage message) {
    return switch (message) {
      case ChatMessage.Instructions(var text) -> text;
      case ChatMessage.User(var text, _) -> text;
      case ChatMessage.Assistant(var text, _) -> text;
      case ChatMessage.Results(var results) -> results.getLast().text();
    };
  }
}
