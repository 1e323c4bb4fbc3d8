package dev.superstep.model;

import dev.superstep.engine.run.CachedInput;
import java.util.List;

/// The answer of a chat model.
///
/// @param text "" if it only asks for tools
/// @param finishReason `stop`, `tool_calls`, `length`, `content_filter`, or another word of the
///   provider, in lower case
/// @param model as the provider names it
/// @param refusal the text of a refusal; "" if the model does not refuse
public record ModelAnswer(
    String text,
    List<ToolCall> toolCalls,
    String finishReason,
    String model,
    String refusal,
    Usage usage) {
  public ModelAnswer {
    toolCalls = List.copyOf(toolCalls);
  }

  /// @param arguments JSON text, as the model wrote it: it may be none
  public record ToolCall(String id, String name, String arguments) {}

  /// Tokens, as the provider counts them; 0 if it reports none.
  ///
  /// @param input all of them
  /// @param cached those of the input that the provider has read from its cache or written into it
  public record Usage(long input, long output, CachedInput cached) {
    public static final Usage NOTHING = new Usage(0, 0);

    public Usage(long input, long output) {
      this(input, output, CachedInput.NOTHING);
    }

    public Usage plus(Usage other) {
      return new Usage(input + other.input, output + other.output, cached.plus(other.cached));
    }

    public long total() {
      return input + output;
    }
  }
}
