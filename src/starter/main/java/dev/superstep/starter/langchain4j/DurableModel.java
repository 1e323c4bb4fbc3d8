package dev.superstep.starter.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.superstep.model.ModelAnswer;
import dev.superstep.node.AgentCall;
import dev.superstep.node.AgentRequest;
import dev.superstep.node.AgentScope;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Each answer of the model is a step of the task that has asked for it.
record DurableModel(ChatModel model) implements ChatModel {

  @Override
  public ChatResponse chat(ChatRequest chatRequest, ChatRequestOptions options) {
    var scope = AgentScope.current();
    if (scope.isEmpty()) {
      return model.chat(chatRequest, options);
    }
    var asked = agentRequest(chatRequest, model.defaultRequestParameters());
    var name = asked.model();
    var call = scope.get().begin(asked);
    var known = call.known();
    if (known.isPresent()) {
      return spent(call, name, MessageText.response(known.get()));
    }
    ChatResponse response;
    try {
      response = call.within(() -> model.chat(chatRequest, options));
    } catch (RuntimeException e) {
      call.failed(e);
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return ended(call, name, response);
  }

  static ChatResponse ended(AgentCall call, String name, ChatResponse response) {
    spent(call, name, response);
    var text = MessageText.write(response);
    var counting = call.ended(text);
    return counting.equals(text) ? response : MessageText.response(counting);
  }

  static ChatResponse spent(AgentCall call, String name, ChatResponse response) {
    var usage = response.tokenUsage();
    call.spent(
        Objects.requireNonNullElse(response.modelName(), name),
        usage == null
            ? ModelAnswer.Usage.NOTHING
            : new ModelAnswer.Usage(
                orZero(usage.inputTokenCount()), orZero(usage.outputTokenCount())));
    return response;
  }

  private static long orZero(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  /// @param standard of the model, for what the request does not say
  static AgentRequest agentRequest(ChatRequest request, ChatRequestParameters standard) {
    var name = request.modelName() == null ? standard.modelName() : request.modelName();
    var most =
        request.maxOutputTokens() == null ? standard.maxOutputTokens() : request.maxOutputTokens();
    return new AgentRequest(
        name == null ? "model" : name,
        MessageText.of(request),
        MessageText.images(request),
        MessageText.imageBytes(request),
        most == null ? OptionalLong.empty() : OptionalLong.of(most));
  }

  @Override
  public ChatResponse doChat(ChatRequest chatRequest) {
    return model.doChat(chatRequest);
  }

  @Override
  public ChatRequestParameters defaultRequestParameters() {
    return model.defaultRequestParameters();
  }

  @Override
  public List<ChatModelListener> listeners() {
    return model.listeners();
  }

  @Override
  public ModelProvider provider() {
    return model.provider();
  }

  @Override
  public Set<Capability> supportedCapabilities() {
    return model.supportedCapabilities();
  }
}
