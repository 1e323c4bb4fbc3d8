package dev.superstep.starter.springai;

import dev.superstep.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.MediaContent;
import org.springframework.ai.model.tool.StructuredOutputChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/// What is asked, as text: the same for the same request, in every process.
final class PromptText {
  private PromptText() {}

  static String of(Prompt prompt) {
    var asked = new LinkedHashMap<String, @Nullable Object>();
    asked.put("options", options(prompt.getOptions()));
    asked.put("tools", tools(prompt.getOptions()));
    return Json.write(MessageCodec.essence(prompt.getInstructions()))
        + MessageCodec.MAPPER.writeValueAsString(asked);
  }

  static int images(Prompt prompt) {
    return prompt.getInstructions().stream()
        .filter(MediaContent.class::isInstance)
        .mapToInt(it -> ((MediaContent) it).getMedia().size())
        .sum();
  }

  /// Of the text, in base64, or as URLs that hold their image.
  static long imageBytes(Prompt prompt) {
    return prompt.getInstructions().stream()
        .filter(MediaContent.class::isInstance)
        .flatMap(it -> ((MediaContent) it).getMedia().stream())
        .filter(it -> it.getMimeType().getType().equals("image"))
        .mapToLong(it -> imageBytes(it.getData()))
        .sum();
  }

  private static long imageBytes(Object data) {
    return switch (data) {
      case byte[] bytes -> (bytes.length + 2L) / 3 * 4;
      case String url when url.startsWith("data:") -> url.length();
      default -> 0;
    };
  }

  private static Map<String, @Nullable Object> options(@Nullable ChatOptions options) {
    var asked = new LinkedHashMap<String, @Nullable Object>();
    if (options != null) {
      asked.put("model", options.getModel());
      asked.put("temperature", options.getTemperature());
      asked.put("top_p", options.getTopP());
      asked.put("top_k", options.getTopK());
      asked.put("max_tokens", options.getMaxTokens());
      asked.put("stop", options.getStopSequences());
      asked.put("frequency_penalty", options.getFrequencyPenalty());
      asked.put("presence_penalty", options.getPresencePenalty());
    }
    if (options instanceof StructuredOutputChatOptions it) {
      asked.put("output_schema", it.getOutputSchema());
    }
    return asked;
  }

  private static List<List<String>> tools(@Nullable ChatOptions options) {
    var tools = options instanceof ToolCallingChatOptions it ? it.getToolCallbacks() : null;
    return tools == null
        ? List.of()
        : tools.stream()
            .map(it -> it.getToolDefinition())
            .map(it -> List.of(it.name(), it.description(), it.inputSchema()))
            .toList();
  }

  /// Of the context of a tool, what is plain data, and the names of the rest.
  static String of(Map<String, Object> context) {
    var plain = new TreeMap<String, @Nullable Object>();
    context.keySet().forEach(it -> plain.put(it, null));
    plain.putAll(MessageCodec.plain(context));
    return MessageCodec.MAPPER.writeValueAsString(plain);
  }

  /// Without characters that nothing stores.
  static String storable(String text) {
    return text.codePoints()
        .map(it ->
            it == 0 || (it >= Character.MIN_SURROGATE && it <= Character.MAX_SURROGATE)
                ? '\uFFFD'
                : it)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
