package dev.superstep.model;

import dev.superstep.model.ModelHttp.Framing;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The JSON in which a provider is asked and answers.
interface Protocol {

  /// What a model is asked.
  ///
  /// @param model as the provider names it
  /// @param messages those of the request
  record ModelQuestion(
      String model, List<ChatMessage> messages, ModelRequest request, ModelOptions options) {

    /// How many of the messages later requests probably begin with. Those of the request that do
    /// not last are prompts and repairs, each of which is one message.
    int lasting() {
      int lasting = request.lasting().orElse(0);
      int behind = request.messages().size() - lasting;
      return lasting == 0 ? 0 : Math.max(0, messages.size() - behind);
    }

    boolean isStreamed() {
      return request.delivery() instanceof ModelRequest.Delivery.Streamed;
    }
  }

  /// Behind the base URL.
  String path();

  /// @param key "": there is none
  Map<String, String> headers(String key);

  /// @throws ModelException if the protocol has no words for something in it
  ObjectValue body(ModelQuestion question) throws ModelException;

  /// Reads an answer that came whole.
  ///
  /// @throws AnswerDraft.BrokenException if it is none
  void read(JsonNode answer, AnswerDraft draft);

  Framing framing();

  /// Reads a piece of a streamed answer.
  ///
  /// @return whether it is the last
  /// @throws AnswerDraft.BrokenException if it is none
  boolean readPiece(String piece, AnswerDraft draft);
}
