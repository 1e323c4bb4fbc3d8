package dev.superstep.starter.springai;

import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AbstractMessage;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.util.MimeType;
import tools.jackson.databind.json.JsonMapper;

/// Messages as they are recorded. Of metadata, what is plain data.
final class MessageCodec {
  static final JsonMapper MAPPER = new JsonMapper();

  private MessageCodec() {}

  /// @param text null if it has none
  record StoredMessage(
      MessageType type,
      @Nullable String text,
      Map<String, Object> metadata,
      List<ToolCall> calls,
      List<ToolResponse> responses,
      List<StoredMedia> media) {

    static StoredMessage of(Message message) {
      return new StoredMessage(
          message.getMessageType(),
          message.getText() == null ? null : PromptText.storable(message.getText()),
          plain(message.getMetadata()),
          message instanceof AssistantMessage it ? it.getToolCalls() : List.of(),
          message instanceof ToolResponseMessage it ? it.getResponses() : List.of(),
          message instanceof MediaContent it
              ? it.getMedia().stream().map(StoredMedia::of).toList()
              : List.of());
    }

    Message message() {
      var files = media.stream().map(StoredMedia::media).toList();
      var said = Objects.requireNonNullElse(text, "");
      return switch (type) {
        case USER -> UserMessage.builder().text(said).media(files).metadata(metadata).build();
        case SYSTEM -> SystemMessage.builder().text(said).metadata(metadata).build();
        case TOOL -> ToolResponseMessage.builder().responses(responses).metadata(metadata).build();
        case ASSISTANT -> assistant();
      };
    }

    AssistantMessage assistant() {
      return AssistantMessage.builder()
          .content(text)
          .properties(metadata)
          .toolCalls(calls)
          .media(media.stream().map(StoredMedia::media).toList())
          .build();
    }
  }

  /// @param data null: it is at the address
  /// @param address null: it has none
  record StoredMedia(
      String type,
      byte @Nullable [] data,
      @Nullable String address,
      @Nullable String id,
      String name) {

    static StoredMedia of(Media media) {
      boolean held = media.getData() instanceof byte[];
      return new StoredMedia(
          media.getMimeType().toString(),
          held ? media.getDataAsByteArray() : null,
          held ? null : media.getData().toString(),
          media.getId(),
          media.getName());
    }

    Media media() {
      var builder = Media.builder().mimeType(MimeType.valueOf(type)).name(name);
      builder = data == null ? builder.data(URI.create(address)) : builder.data(data);
      return (id == null ? builder : builder.id(id)).build();
    }
  }

  static Value write(List<Message> messages) {
    return value(messages.stream().map(StoredMessage::of).toList());
  }

  static List<Message> read(Value messages) {
    return List.of(MAPPER.readValue(Json.write(messages), StoredMessage[].class)).stream()
        .map(StoredMessage::message)
        .toList();
  }

  /// What a model sees of them: not their metadata, nor names that are made up.
  static Value essence(List<Message> messages) {
    return value(
        messages.stream()
            .map(StoredMessage::of)
            .map(it ->
                new StoredMessage(
                    it.type(),
                    Objects.requireNonNullElse(it.text(), ""),
                    Map.of(),
                    it.calls(),
                    it.responses(),
                    it.media().stream()
                        .map(file ->
                            new StoredMedia(
                                file.type(), file.data(), file.address(), file.id(), ""))
                        .toList()))
            .toList());
  }

  static Value value(Object data) {
    return Json.read(MAPPER.writeValueAsString(data));
  }

  static Map<String, Object> plain(Map<String, Object> metadata) {
    var kept = new HashMap<String, Object>();
    metadata.forEach((key, value) -> {
      if (!key.equals(AbstractMessage.MESSAGE_TYPE) && isPlain(value)) {
        kept.put(key, value);
      }
    });
    return kept;
  }

  private static boolean isPlain(@Nullable Object value) {
    return switch (value) {
      case String _, Boolean _, Integer _, Long _ -> true;
      case Double number -> Double.isFinite(number);
      case Map<?, ?> map ->
          map.keySet().stream().allMatch(String.class::isInstance)
              && map.values().stream().allMatch(MessageCodec::isPlain);
      case Collection<?> items -> items.stream().allMatch(MessageCodec::isPlain);
      case null, default -> false;
    };
  }
}
