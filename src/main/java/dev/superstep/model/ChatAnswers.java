package dev.superstep.model;

import dev.superstep.engine.task.TaskError;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelAnswer.Usage;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;

/// Converts Spring AI's answers to provider-independent ones.
final class ChatAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(ChatAnswers.class);

  /// No answer can have taken more: a larger count would exhaust a budget at once.
  private static final int TOKENS_MAX = 10_000_000;

  private ChatAnswers() {}

  /// @param refusal in pieces; empty if the answer came whole, or there is none
  /// @throws ModelException if there is no answer in it, or not the whole of one
  static ModelAnswer of(@Nullable ChatResponse response, String model, CharSequence refusal)
      throws ModelException {
    var generation = response == null ? null : response.getResult();
    if (response == null || generation == null) {
      throw incomplete("the model answered without a choice");
    }
    var message = generation.getOutput();
    var calls = calls(message);
    var reason = reason(generation, calls);
    if (reason.isEmpty()) {
      throw incomplete("the model's answer broke off");
    }
    var named = response.getMetadata().getModel();
    return new ModelAnswer(
        Objects.requireNonNullElse(message.getText(), ""),
        calls,
        reason,
        named == null || named.isEmpty() ? model : named,
        refusal.isEmpty() ? refusal(message) : refusal.toString(),
        usage(response, model));
  }

  private static List<ToolCall> calls(AssistantMessage message) {
    return message.getToolCalls().stream()
        .map(it -> new ToolCall(it.id(), it.name(), it.arguments()))
        .toList();
  }

  private static String reason(Generation generation, List<ToolCall> calls) {
    var said = Objects.requireNonNullElse(generation.getMetadata().getFinishReason(), "");
    return switch (said.toLowerCase(Locale.ROOT)) {
      case "stop", "end_turn", "stop_sequence", "_unknown" ->
          calls.isEmpty() ? "stop" : "tool_calls";
      case "tool_calls", "tool_use", "function_call" -> "tool_calls";
      case "length", "max_tokens" -> "length";
      case "content_filter", "refusal" -> "content_filter";
      case String other -> other;
    };
  }

  /// The refusal in a piece of an answer; empty if there is none.
  static String refusal(ChatResponse piece) {
    var generation = piece.getResult();
    return generation == null ? "" : refusal(generation.getOutput());
  }

  private static String refusal(AssistantMessage message) {
    return message.getMetadata().get("refusal") instanceof String text ? text : "";
  }

  private static Usage usage(ChatResponse response, String model) {
    var usage = response.getMetadata().getUsage();
    return usage == null
        ? Usage.NOTHING
        : new Usage(
            count(usage.getPromptTokens(), model), count(usage.getCompletionTokens(), model));
  }

  private static long count(@Nullable Integer tokens, String model) {
    if (tokens == null || (tokens >= 0 && tokens <= TOKENS_MAX)) {
      return tokens == null ? 0 : tokens;
    }
    long counted = tokens < 0 ? 0 : TOKENS_MAX;
    LOG.warn("model '{}' reported {} tokens for an answer; {} are counted", model, tokens, counted);
    return counted;
  }

  private static ModelException incomplete(String message) {
    return new ModelException(TaskError.retryable("model_bad_answer", message));
  }
}
