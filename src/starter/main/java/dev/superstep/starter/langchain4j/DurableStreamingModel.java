package dev.superstep.starter.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.superstep.node.AgentCall;
import dev.superstep.node.AgentScope;
import java.util.List;
import java.util.Set;

/// Each answer of the model is a step of the task that has asked for it. Its pieces are those of
/// the task; one that is recorded comes in one piece.
record DurableStreamingModel(StreamingChatModel model) implements StreamingChatModel {

  @Override
  public void chat(
      ChatRequest request, ChatRequestOptions options, StreamingChatResponseHandler handler) {
    var scope = AgentScope.current();
    if (scope.isEmpty()) {
      model.chat(request, options, handler);
      return;
    }
    var asked = DurableModel.agentRequest(request, model.defaultRequestParameters());
    var name = asked.model();
    var call = scope.get().beginAside(asked);
    var known = call.known();
    if (known.isPresent()) {
      var response = DurableModel.spent(call, name, MessageText.response(known.get()));
      var text = response.aiMessage().text();
      if (text != null && !text.isEmpty()) {
        handler.onPartialResponse(text);
      }
      complete(handler, response);
    } else {
      model.chat(request, options, new Recorder(handler, scope.get(), call, name));
    }
  }

  /// Tools may be called as soon as their calls are known: not before the answer is recorded.
  private static void complete(StreamingChatResponseHandler handler, ChatResponse response) {
    var requests = response.aiMessage().toolExecutionRequests();
    for (int i = 0; i < requests.size(); i++) {
      handler.onCompleteToolCall(new CompleteToolCall(i, requests.get(i)));
    }
    handler.onCompleteResponse(response);
  }

  /// Has the handler called within the scope of the agent, whatever the thread.
  private record Recorder(
      StreamingChatResponseHandler handler, AgentScope scope, AgentCall call, String name)
      implements StreamingChatResponseHandler {

    private void within(Runnable callback) {
      try {
        scope.within(() -> {
          callback.run();
          return true;
        });
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void onPartialResponse(String partialResponse) {
      call.piece(partialResponse);
      within(() -> handler.onPartialResponse(partialResponse));
    }

    @Override
    public void onPartialResponse(PartialResponse partialResponse, PartialResponseContext context) {
      call.piece(partialResponse.text());
      within(() -> handler.onPartialResponse(partialResponse, context));
    }

    @Override
    public void onPartialThinking(PartialThinking partialThinking) {
      within(() -> handler.onPartialThinking(partialThinking));
    }

    @Override
    public void onPartialThinking(PartialThinking partialThinking, PartialThinkingContext context) {
      within(() -> handler.onPartialThinking(partialThinking, context));
    }

    @Override
    public void onPartialToolCall(PartialToolCall partialToolCall) {
      within(() -> handler.onPartialToolCall(partialToolCall));
    }

    @Override
    public void onPartialToolCall(PartialToolCall partialToolCall, PartialToolCallContext context) {
      within(() -> handler.onPartialToolCall(partialToolCall, context));
    }

    @Override
    public void onUnmappedRawEvent(Object rawEvent) {
      within(() -> handler.onUnmappedRawEvent(rawEvent));
    }

    @Override
    public void onCompleteResponse(ChatResponse completeResponse) {
      ChatResponse response;
      try {
        response = DurableModel.ended(call, name, completeResponse);
      } catch (RuntimeException e) {
        within(() -> handler.onError(e));
        return;
      }
      within(() -> complete(handler, response));
    }

    @Override
    public void onError(Throwable error) {
      call.failed(error);
      within(() -> handler.onError(error));
    }
  }

  @Override
  public void doChat(ChatRequest chatRequest, StreamingChatResponseHandler handler) {
    model.doChat(chatRequest, handler);
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
