package dev.superstep.client;

import java.util.Map;

/// A graph, as its author writes it.
public final class Definition {
  private final String contentType;
  private final Object content;

  private Definition(String contentType, Object content) {
    this.contentType = contentType;
    this.content = content;
  }

  public static Definition yaml(String text) {
    return new Definition("application/yaml", text);
  }

  public static Definition json(Map<String, ?> graph) {
    return new Definition("application/json", graph);
  }

  /// A bundle.
  public static Definition zip(byte[] bytes) {
    return new Definition("application/zip", bytes.clone());
  }

  String contentType() {
    return contentType;
  }

  Object content() {
    return content;
  }
}
