package dev.superstep.model.stub;

import java.util.List;
import java.util.Map;

/// A request as it reached the stub.
///
/// @param number from 1
/// @param authorization of the header; "" if there was none
/// @param traceparent likewise
/// @param text the body
public record Asked(int number, String authorization, String traceparent, String text) {

  @SuppressWarnings("unchecked")
  public Map<String, Object> body() {
    return (Map<String, Object>) MiniJson.read(text);
  }

  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> messages() {
    return (List<Map<String, Object>>) body().getOrDefault("messages", List.of());
  }

  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> tools() {
    return (List<Map<String, Object>>) body().getOrDefault("tools", List.of());
  }

  public boolean isStreamed() {
    return Boolean.TRUE.equals(body().get("stream"));
  }

  /// Who spoke last.
  public String lastRole() {
    return messages().isEmpty() ? "" : String.valueOf(messages().getLast().get("role"));
  }

  /// The last words of somebody; parts are joined.
  public String last(String role) {
    return messages().reversed().stream()
        .filter(it -> role.equals(it.get("role")))
        .findFirst()
        .map(it -> words(it.getOrDefault("content", "")))
        .orElse("");
  }

  private static String words(Object content) {
    if (!(content instanceof List<?> parts)) {
      return String.valueOf(content);
    }
    var words = new StringBuilder();
    for (var part : parts) {
      words.append(part instanceof Map<?, ?> object ? object.get("text") : part);
    }
    return words.toString();
  }
}
