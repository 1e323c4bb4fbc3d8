package dev.superstep.starter.springai;

import dev.superstep.json.Json;
import dev.superstep.starter.springai.MessageCodec.StoredMessage;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;

/// Answers of models as they are recorded.
final class ResponseCodec {
  private ResponseCodec() {}

  private record StoredResponse(
      String id,
      String model,
      StoredUsage usage,
      Map<String, Object> metadata,
      List<StoredGeneration> generations) {}

  private record StoredUsage(
      int input, int output, int total, @Nullable Long cached, @Nullable Long written) {
    static StoredUsage of(Usage usage) {
      return new StoredUsage(
          usage.getPromptTokens(),
          usage.getCompletionTokens(),
          usage.getTotalTokens(),
          usage.getCacheReadInputTokens(),
          usage.getCacheWriteInputTokens());
    }

    Usage usage() {
      return new DefaultUsage(input, output, total, null, cached, written);
    }
  }

  private record StoredGeneration(
      StoredMessage message,
      @Nullable String finishReason,
      Set<String> contentFilters,
      Map<String, Object> metadata) {
    static StoredGeneration of(Generation generation) {
      var metadata = generation.getMetadata();
      return new StoredGeneration(
          StoredMessage.of(generation.getOutput()),
          metadata.getFinishReason(),
          metadata.getContentFilters(),
          entries(metadata.entrySet()));
    }

    Generation generation() {
      return new Generation(
          message.assistant(),
          ChatGenerationMetadata.builder()
              .finishReason(finishReason)
              .contentFilters(contentFilters)
              .metadata(metadata)
              .build());
    }
  }

  static Value write(ChatResponse response) {
    var metadata = response.getMetadata();
    return MessageCodec.value(
        new StoredResponse(
            metadata.getId(),
            metadata.getModel(),
            StoredUsage.of(metadata.getUsage()),
            entries(metadata.entrySet()),
            response.getResults().stream().map(StoredGeneration::of).toList()));
  }

  static ChatResponse read(Value value) {
    var stored = MessageCodec.MAPPER.readValue(Json.write(value), StoredResponse.class);
    var metadata = ChatResponseMetadata.builder().id(stored.id()).model(stored.model());
    stored.metadata().forEach(metadata::keyValue);
    return new ChatResponse(
        stored.generations().stream().map(StoredGeneration::generation).toList(),
        metadata.usage(stored.usage().usage()).build());
  }

  private static Map<String, Object> entries(Set<Map.Entry<String, Object>> entries) {
    var all = new HashMap<String, Object>();
    entries.forEach(it -> all.put(it.getKey(), it.getValue()));
    return MessageCodec.plain(all);
  }
}
