package dev.superstep.model;

import dev.superstep.json.Json;
import dev.superstep.model.ModelRequest.ToolOffer;
import dev.superstep.model.http.CallHandle;
import dev.superstep.model.http.CallRegistry;
import dev.superstep.model.http.OllamaHttp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.ollama.api.OllamaChatOptions;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/// Builds the options of one call as Spring AI's model of each provider takes them.
final class ChatSettings {
  /// What Anthropic's protocol cannot do without.
  private static final int TOKENS_STANDARD = 4_096;

  private final ModelSettings.Entry model;
  private final ModelRequest request;
  private final ModelOptions options;
  private final CallHandle callHandle;

  ChatSettings(
      ModelSettings.Entry model,
      ModelRequest request,
      ModelOptions options,
      CallHandle callHandle) {
    this.model = model;
    this.request = request;
    this.options = options;
    this.callHandle = callHandle;
  }

  ChatOptions build() {
    return switch (model.provider()) {
      case OPENAI -> openAi();
      case ANTHROPIC -> anthropic();
      case OLLAMA -> ollama();
      case STUB -> stub();
    };
  }

  private ChatOptions openAi() {
    var to = OpenAiChatOptions.builder();
    common(to);
    options.integer("seed").ifPresent(to::seed);
    options.effort().ifPresent(to::reasoningEffort);
    options.parallel().ifPresent(to::parallelToolCalls);
    schema().ifPresent(to::outputSchema);
    to.customHeaders(headers());
    if (request.delivery() instanceof ModelRequest.Delivery.Streamed) {
      to.streamUsage(true);
    }
    return to.build();
  }

  private ChatOptions anthropic() {
    var to = AnthropicChatOptions.builder();
    common(to);
    to.maxTokens(options.integer("max_tokens").orElse(TOKENS_STANDARD));
    options.integer("top_k").ifPresent(to::topK);
    schema().ifPresent(to::outputSchema);
    to.httpHeaders(headers());
    return to.build();
  }

  private ChatOptions ollama() {
    var to = OllamaChatOptions.builder();
    common(to);
    options.integer("seed").ifPresent(to::seed);
    options.integer("top_k").ifPresent(to::topK);
    schema().ifPresent(to::outputSchema);
    return to.build();
  }

  private ChatOptions stub() {
    var to = ToolCallingChatOptions.builder();
    common(to);
    return to.build();
  }

  private void common(ToolCallingChatOptions.Builder<?> to) {
    to.model(model.model());
    options.number("temperature").ifPresent(to::temperature);
    options.number("top_p").ifPresent(to::topP);
    options.number("frequency_penalty").ifPresent(to::frequencyPenalty);
    options.number("presence_penalty").ifPresent(to::presencePenalty);
    options.integer("max_tokens").ifPresent(to::maxTokens);
    options.stop().ifPresent(to::stopSequences);
    to.toolCallbacks(tools());
  }

  private Map<String, String> headers() {
    var headers = new HashMap<>(Map.of(CallRegistry.HEADER, callHandle.id()));
    request.traceparent().ifPresent(it -> headers.put(OllamaHttp.TRACEPARENT, it));
    return headers;
  }

  private Optional<String> schema() {
    return request.outputSchema().map(Json::write);
  }

  private List<ToolCallback> tools() {
    return request.tools().stream().<ToolCallback>map(Offered::of).toList();
  }

  /// A tool declared to the model. Tool nodes decide whether and how it runs.
  private record Offered(ToolDefinition definition) implements ToolCallback {
    static Offered of(ToolOffer offer) {
      return new Offered(
          ToolDefinition.builder()
              .name(offer.name())
              .description(offer.description())
              .inputSchema(Json.write(offer.inputSchema()))
              .build());
    }

    @Override
    public ToolDefinition getToolDefinition() {
      return definition;
    }

    @Override
    public String call(String input) {
      throw new IllegalStateException("tools run in tool nodes");
    }
  }
}
