package dev.superstep.model;

import dev.superstep.engine.run.TaskError;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// A message as providers take it, read from those of channels (definitions.md, *Messages*).
sealed interface ChatMessage {

  record Instructions(String text) implements ChatMessage {}

  /// @param images URLs
  record User(String text, List<String> images) implements ChatMessage {}

  /// An image that a URL holds, rather than names: `data:image/png;base64,…`.
  record Inlined(String mediaType, String base64) {
    private static final Pattern FORM =
        Pattern.compile("(?s)data:([^;,]*)(?:;[^;,]*)*?;base64,(.*)");

    static Optional<Inlined> of(String url) {
      var found = FORM.matcher(url);
      return found.matches()
          ? Optional.of(new Inlined(found.group(1), found.group(2)))
          : Optional.empty();
    }
  }

  record Assistant(String text, List<ModelAnswer.ToolCall> calls) implements ChatMessage {}

  /// Results that follow each other belong to one assistant message.
  record Results(List<Result> results) implements ChatMessage {}

  /// @param id of the call
  /// @param name of the tool
  record Result(String id, String name, String text) {}

  /// @throws ModelException if a message is none
  static List<ChatMessage> of(List<ObjectValue> messages) throws ModelException {
    var reader = new MessageReader();
    for (var message : messages) {
      reader.add(message);
    }
    reader.flush();
    return reader.out;
  }

  /// Reads the messages of a conversation in order.
  final class MessageReader {
    private final List<ChatMessage> out = new ArrayList<>();
    private final List<Result> results = new ArrayList<>();
    private final Map<String, String> called = new HashMap<>();

    private MessageReader() {}

    private void add(ObjectValue message) throws ModelException {
      var role = message.textOrEmpty("role");
      if (!role.equals("tool")) {
        flush();
      }
      switch (role) {
        case "system" -> out.add(new Instructions(words(message)));
        case "user" -> out.add(new User(words(message), images(message)));
        case "assistant" -> out.add(new Assistant(words(message), calls(message)));
        case "tool" -> results.add(result(message));
        default -> throw bad("a message has the role '%s'".formatted(role));
      }
    }

    private void flush() {
      if (!results.isEmpty()) {
        out.add(new Results(List.copyOf(results)));
        results.clear();
      }
    }

    private Result result(ObjectValue message) throws ModelException {
      var id = message.textOrEmpty("tool_call_id");
      var name = message.textOrEmpty("name");
      return new Result(id, name.isEmpty() ? called.getOrDefault(id, "") : name, words(message));
    }

    private List<ModelAnswer.ToolCall> calls(ObjectValue message) {
      var calls = new ArrayList<ModelAnswer.ToolCall>();
      for (var call : message.objects("tool_calls")) {
        var id = call.textOrEmpty("id");
        var name = call.textOrEmpty("name");
        called.put(id, name);
        calls.add(new ModelAnswer.ToolCall(id, name, arguments(call)));
      }
      return calls;
    }

    /// Arguments that were no JSON are kept as the text they were.
    private static String arguments(ObjectValue call) {
      return switch (call.getOr("arguments", ObjectValue.empty())) {
        case Value.Text(var text) -> text;
        case Value value -> Json.write(value);
      };
    }

    private static List<String> images(ObjectValue message) throws ModelException {
      var images = new ArrayList<String>();
      for (var part : message.objects("content")) {
        if (part.get("image_url") instanceof ObjectValue image) {
          images.add(url(image.textOrEmpty("url")));
        }
      }
      return images;
    }

    private static String url(String text) throws ModelException {
      try {
        return URI.create(text).toString();
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
  }

  static ModelException bad(String message) {
    return new ModelException(TaskError.permanent("bad_messages", message));
  }
}
