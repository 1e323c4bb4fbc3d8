package dev.superstep.model.scripted;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

/// The parts of a request that a script can match.
///
/// @param user the user's last words
/// @param toolResult the last one
/// @param last role of the last message
/// @param turn of the answer that is asked for, from 1
record Asked(
    String user, String system, String toolResult, String last, int turn, Set<String> tools) {

  static Asked of(Prompt prompt) {
    var messages = prompt.getInstructions();
    return new Asked(
        last(messages, MessageType.USER),
        messages.stream()
            .filter(it -> it.getMessageType() == MessageType.SYSTEM)
            .map(Asked::text)
            .collect(Collectors.joining("\n")),
        last(messages, MessageType.TOOL),
        messages.isEmpty()
            ? ""
            : messages.getLast().getMessageType().name().toLowerCase(Locale.ROOT),
        1
            + (int)
                messages.stream()
                    .filter(it -> it.getMessageType() == MessageType.ASSISTANT)
                    .count(),
        tools(prompt));
  }

  private static Set<String> tools(Prompt prompt) {
    List<ToolCallback> offered =
        prompt.getOptions() instanceof ToolCallingChatOptions options
            ? Objects.requireNonNullElse(options.getToolCallbacks(), List.of())
            : List.of();
    return offered.stream().map(it -> it.getToolDefinition().name()).collect(Collectors.toSet());
  }

  private static String last(List<Message> messages, MessageType type) {
    return messages.reversed().stream()
        .filter(it -> it.getMessageType() == type)
        .findFirst()
        .map(Asked::text)
        .orElse("");
  }

  private static String text(Message message) {
    if (message instanceof ToolResponseMessage results) {
      var responses = results.getResponses();
      return responses.isEmpty() ? "" : responses.getLast().responseData();
    }
    return message.getText() == null ? "" : message.getText();
  }
}
