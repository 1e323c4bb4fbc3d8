package dev.superstep.starter.springai;

import dev.superstep.engine.run.CachedInput;
import dev.superstep.model.ModelAnswer;
import dev.superstep.node.AgentCall;
import dev.superstep.node.AgentRequest;
import dev.superstep.node.AgentScope;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.ai.chat.metadata.EmptyUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/// Each answer of the model is a step of the task that has asked for it.
record DurableChatModel(ChatModel model) implements ChatModel {

  @Override
  public ChatResponse call(Prompt prompt) {
    var scope = AgentScope.current();
    if (scope.isEmpty()) {
      return model.call(prompt);
    }
    var call = scope.get().begin(agentRequest(prompt));
    var made = new AtomicReference<ChatResponse>();
    var recorded =
        Unchecked.get(() ->
            call.made(() -> {
              var response = model.call(prompt);
              made.set(response);
              spent(call, name(prompt), response, response.getMetadata().getUsage());
              return ResponseCodec.write(response);
            }));
    var response = made.get();
    return response == null ? repeated(call, name(prompt), ResponseCodec.read(recorded)) : response;
  }

  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    return Flux.deferContextual(view ->
        AgentScope.current()
            .or(() ->
                view.<AgentScope>getOrEmpty(AgentScopeAccessor.KEY).filter(AgentScope::isOpen))
            .map(it -> stream(it, prompt))
            .orElseGet(() -> model.stream(prompt)));
  }

  private Flux<ChatResponse> stream(AgentScope scope, Prompt prompt) {
    var call = scope.beginAside(agentRequest(prompt));
    var known = call.known();
    if (known.isPresent()) {
      return Flux.just(repeated(call, name(prompt), ResponseCodec.read(known.get())));
    }
    var usage = new AtomicReference<Usage>(new EmptyUsage());
    var pieces =
        model.stream(prompt)
            // A model may ask another one within it.
            .contextWrite(it -> it.delete(AgentScopeAccessor.KEY))
            .doOnNext(it -> {
              piece(call, it);
              if (it.getMetadata().getUsage().getTotalTokens() > 0) {
                usage.set(it.getMetadata().getUsage());
              }
            });
    return new MessageAggregator()
        .aggregate(
            pieces,
            whole -> {
              spent(call, name(prompt), whole, usage.get());
              call.ended(ResponseCodec.write(whole));
            })
        .doOnError(call::failed)
        .doOnCancel(call::dropped);
  }

  private static void piece(AgentCall call, ChatResponse response) {
    var result = response.getResult();
    if (result != null && result.getOutput().getText() != null) {
      call.piece(Objects.requireNonNull(result.getOutput().getText()));
    }
  }

  private static ChatResponse repeated(AgentCall call, String model, ChatResponse response) {
    spent(call, model, response, response.getMetadata().getUsage());
    return response;
  }

  private static void spent(AgentCall call, String asked, ChatResponse response, Usage usage) {
    var answering = response.getMetadata().getModel();
    var cached =
        new CachedInput(
            Objects.requireNonNullElse(usage.getCacheReadInputTokens(), 0L),
            Objects.requireNonNullElse(usage.getCacheWriteInputTokens(), 0L));
    call.spent(
        answering.isEmpty() ? asked : answering,
        new ModelAnswer.Usage(usage.getPromptTokens(), usage.getCompletionTokens(), cached));
  }

  private AgentRequest agentRequest(Prompt prompt) {
    var options = prompt.getOptions();
    var most = options == null ? null : options.getMaxTokens();
    if (most == null) {
      most = model.getOptions().getMaxTokens();
    }
    return new AgentRequest(
        name(prompt),
        PromptText.of(prompt),
        PromptText.images(prompt),
        PromptText.imageBytes(prompt),
        most == null ? OptionalLong.empty() : OptionalLong.of(most));
  }

  private String name(Prompt prompt) {
    var options = prompt.getOptions();
    var named = options == null ? null : options.getModel();
    return named == null
        ? Objects.requireNonNullElse(model.getOptions().getModel(), "model")
        : named;
  }

  @Override
  public ChatOptions getOptions() {
    var options = model.getOptions();
    return AgentScope.current().isPresent() ? DurableTools.in(options) : options;
  }
}
