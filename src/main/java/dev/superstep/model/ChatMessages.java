package dev.superstep.model;

import dev.superstep.engine.task.TaskError;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeTypeUtils;

/// Converts messages of channels (definitions.md, *Messages*) to those of Spring AI.
final class ChatMessages {
  private final List<Message> out = new ArrayList<>();
  private final List<ToolResponseMessage.ToolResponse> results = new ArrayList<>();
  private final Map<String, String> called = new HashMap<>();

  private ChatMessages() {}

  /// @throws ModelException if a message is none
  static List<Message> of(List<ObjectValue> messages) throws ModelException {
    var reading = new ChatMessages();
    for (var message : messages) {
      reading.add(message);
    }
    reading.flush();
    return reading.out;
  }

  private void add(ObjectValue message) throws ModelException {
    var role = text(message, "role");
    if (!role.equals("tool")) {
      flush();
    }
    switch (role) {
      case "system" -> out.add(new SystemMessage(words(message)));
      case "user" -> out.add(user(message));
      case "assistant" -> out.add(assistant(message));
      case "tool" -> results.add(result(message));
      default -> throw bad("a message has the role '%s'".formatted(role));
    }
  }

  /// Results that follow each other belong to one assistant message.
  private void flush() {
    if (!results.isEmpty()) {
      out.add(ToolResponseMessage.builder().responses(List.copyOf(results)).build());
      results.clear();
    }
  }

  private ToolResponseMessage.ToolResponse result(ObjectValue message) throws ModelException {
    var id = text(message, "tool_call_id");
    var name = text(message, "name");
    return new ToolResponseMessage.ToolResponse(
        id, name.isEmpty() ? called.getOrDefault(id, "") : name, words(message));
  }

  private AssistantMessage assistant(ObjectValue message) throws ModelException {
    var calls = new ArrayList<AssistantMessage.ToolCall>();
    if (message.get("tool_calls") instanceof ListValue list) {
      for (var item : list) {
        if (item instanceof ObjectValue call) {
          var id = text(call, "id");
          var name = text(call, "name");
          called.put(id, name);
          calls.add(new AssistantMessage.ToolCall(id, "function", name, arguments(call)));
        }
      }
    }
    return AssistantMessage.builder().content(words(message)).toolCalls(calls).build();
  }

  /// Arguments that were no JSON are kept as the text they were.
  private static String arguments(ObjectValue call) {
    return switch (call.getOr("arguments", ObjectValue.empty())) {
      case Value.Text(var text) -> text;
      case Value value -> Json.write(value);
    };
  }

  private static UserMessage user(ObjectValue message) throws ModelException {
    var media = new ArrayList<Media>();
    if (message.get("content") instanceof ListValue parts) {
      for (var part : parts) {
        if (part instanceof ObjectValue object
            && object.get("image_url") instanceof ObjectValue image) {
          media.add(new Media(MimeTypeUtils.parseMimeType("image/*"), uri(text(image, "url"))));
        }
      }
    }
    return UserMessage.builder().text(words(message)).media(media).build();
  }

  private static URI uri(String text) throws ModelException {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException _) {
      throw bad("an image_url is no URL");
    }
  }

  private static String words(ObjectValue message) throws ModelException {
    return switch (message.getOr("content", Value.NULL)) {
      case Value.Text(var text) -> text;
      case Value.Null _ -> "";
      case ListValue parts -> words(parts);
      case Value other -> throw bad("the content of a message is " + other.typeName());
    };
  }

  private static String words(ListValue parts) throws ModelException {
    var words = new StringBuilder();
    for (var part : parts) {
      if (part instanceof ObjectValue object
          && object.get("text") instanceof Value.Text(var text)) {
        words.append(words.isEmpty() ? "" : "\n").append(text);
      } else if (!(part instanceof ObjectValue image) || !image.has("image_url")) {
        throw bad("a part of a message is neither text nor image_url");
      }
    }
    return words.toString();
  }

  private static String text(ObjectValue object, String key) {
    return object.get(key) instanceof Value.Text(var text) ? text : "";
  }

  private static ModelException bad(String message) {
    return new ModelException(TaskError.permanent("bad_messages", message));
  }
}
