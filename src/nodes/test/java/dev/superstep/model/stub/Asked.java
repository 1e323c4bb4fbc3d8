package dev.superstep.model.stub;

import java.util.List;
import java.util.Map;

/// A request as it reached the stub.
public final class Asked {
  private final int number;
  private final String authorization;
  private final String traceparent;
  private final String text;
  private boolean isRead;
  private Map<String, Object> body = Map.of();

  /// @param number from 1
  /// @param authorization of the header; "" if there was none
  /// @param traceparent likewise
  /// @param text the body
  Asked(int number, String authorization, String traceparent, String text) {
    this.number = number;
    this.authorization = authorization;
    this.traceparent = traceparent;
    this.text = text;
  }

  public int number() {
    return number;
  }

  public String authorization() {
    return authorization;
  }

  public String traceparent() {
    return traceparent;
  }

  public String text() {
    return text;
  }

  /// Read once: a stub that answers a thousand agents looks at it several times for each.
  @SuppressWarnings("unchecked")
  public synchronized Map<String, Object> body() {
    if (!isRead) {
      body = (Map<String, Object>) MiniJson.read(text);
      isRead = true;
    }
    return body;
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
