package dev.superstep.server;

import java.util.Locale;

/// Where clients meet a code.
enum CodeSource {
  REQUEST("in the problem document of a refused request"),
  DEFINITION("in `errors`, of a definition or of a field of a request"),
  WARNING("in `warnings` of a definition, which is stored all the same"),
  RUN("in the `error` of a run or task"),
  TEST("in the report of a test in a definition"),
  TOOL("in what the model and the trace get of a tool call");

  private final String text;

  CodeSource(String text) {
    this.text = text;
  }

  /// As the API writes it.
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Words for people.
  public String text() {
    return text;
  }

  static CodeSource of(String key) {
    return valueOf(key.toUpperCase(Locale.ROOT));
  }
}
