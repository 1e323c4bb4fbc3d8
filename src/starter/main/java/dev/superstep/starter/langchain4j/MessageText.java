package dev.superstep.starter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.ChatResponseMetadata;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Messages, answers and results of tools as they are recorded: in the JSON of LangChain4j.
final class MessageText {
  private static final String MESSAGE = "message";

  private MessageText() {}

  static Value write(List<ChatMessage> messages) {
    return Value.of(ChatMessageSerializer.messagesToJson(messages));
  }

  static List<ChatMessage> read(Value messages) {
    return ChatMessageDeserializer.messagesFromJson(text(messages));
  }

  private static String text(Value value) {
    return value instanceof Value.Text(var text) ? text : "";
  }

  /// What a model is asked: the same for the same request, in every process.
  static String of(ChatRequest request) {
    var messages = request.messages().stream().map(MessageText::essence).toList();
    return ChatMessageSerializer.messagesToJson(messages)
        + options(request)
        + Objects.requireNonNullElse(request.toolSpecifications(), List.of());
  }

  static int images(ChatRequest request) {
    return Math.toIntExact(
        request.messages().stream()
            .filter(UserMessage.class::isInstance)
            .flatMap(it -> ((UserMessage) it).contents().stream())
            .filter(it -> it.type() != ContentType.TEXT)
            .count());
  }

  /// Of the text, in base64, or as URLs that hold their image.
  static long imageBytes(ChatRequest request) {
    return request.messages().stream()
        .filter(UserMessage.class::isInstance)
        .flatMap(it -> ((UserMessage) it).contents().stream())
        .mapToLong(it -> it instanceof ImageContent image ? bytes(image.image()) : 0)
        .sum();
  }

  private static long bytes(Image image) {
    if (image.base64Data() != null) {
      return image.base64Data().length();
    }
    var url = String.valueOf(image.url());
    return url.startsWith("data:") ? url.length() : 0;
  }

  private static List<@Nullable Object> options(ChatRequest request) {
    return Arrays.asList(
        request.modelName(),
        request.temperature(),
        request.topP(),
        request.topK(),
        request.maxOutputTokens(),
        request.stopSequences(),
        request.frequencyPenalty(),
        request.presencePenalty(),
        request.toolChoice(),
        request.responseFormat());
  }

  /// What an answer has besides may be lost in a memory.
  private static ChatMessage essence(ChatMessage message) {
    return message instanceof AiMessage it
        ? AiMessage.builder()
            .text(it.text())
            .toolExecutionRequests(it.toolExecutionRequests())
            .build()
        : message;
  }

  static Value write(ChatResponse response) {
    var usage = response.tokenUsage();
    var reason = response.finishReason();
    return ObjectValue.of(MESSAGE, ChatMessageSerializer.messageToJson(response.aiMessage()))
        .plus("id", orNull(response.id()))
        .plus("model", orNull(response.modelName()))
        .plus("input", orNull(usage == null ? null : usage.inputTokenCount()))
        .plus("output", orNull(usage == null ? null : usage.outputTokenCount()))
        .plus("total", orNull(usage == null ? null : usage.totalTokenCount()))
        .plus("finish_reason", orNull(reason == null ? null : reason.name()));
  }

  private static Value orNull(@Nullable String text) {
    return text == null ? Value.NULL : Value.of(text);
  }

  private static Value orNull(@Nullable Integer number) {
    return number == null ? Value.NULL : Value.of(number.longValue());
  }

  static ChatResponse response(Value value) {
    var stored = ObjectValue.orEmpty(value);
    var metadata = ChatResponseMetadata.builder();
    if (!stored.textOrEmpty("id").isEmpty()) {
      metadata.id(stored.textOrEmpty("id"));
    }
    if (!stored.textOrEmpty("model").isEmpty()) {
      metadata.modelName(stored.textOrEmpty("model"));
    }
    if (!stored.textOrEmpty("finish_reason").isEmpty()) {
      metadata.finishReason(FinishReason.valueOf(stored.textOrEmpty("finish_reason")));
    }
    var input = number(stored, "input");
    var output = number(stored, "output");
    if (input != null || output != null) {
      metadata.tokenUsage(new TokenUsage(input, output, number(stored, "total")));
    }
    return ChatResponse.builder()
        .aiMessage((AiMessage) ChatMessageDeserializer.messageFromJson(stored.textOrEmpty(MESSAGE)))
        .metadata(metadata.build())
        .build();
  }

  private static @Nullable Integer number(ObjectValue stored, String key) {
    return stored.get(key) instanceof Value.Int(var number) ? Math.toIntExact(number) : null;
  }

  static Value write(ToolExecutionRequest request, ToolExecutionResult result) {
    return Value.of(
        ChatMessageSerializer.messageToJson(
            ToolExecutionResultMessage.builder()
                .id(request.id())
                .toolName(request.name())
                .contents(result.resultContents())
                .isError(result.isError())
                .attributes(Objects.requireNonNullElse(result.attributes(), Map.of()))
                .build()));
  }

  static ToolExecutionResult result(Value value) {
    var message = (ToolExecutionResultMessage) ChatMessageDeserializer.messageFromJson(text(value));
    return ToolExecutionResult.builder()
        .isError(Boolean.TRUE.equals(message.isError()))
        .resultContents(message.contents())
        .attributes(message.attributes())
        .build();
  }
}
