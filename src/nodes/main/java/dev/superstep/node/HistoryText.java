package dev.superstep.node;

import dev.superstep.json.Json;
import dev.superstep.state.value.Value;

/// Writes values as prompt or response of a history entry.
public final class HistoryText {
  /// Characters; the state or the question has the whole.
  public static final int LENGTH_MAX = 16 << 10;

  private HistoryText() {}

  /// A text as it is, anything else as JSON, cut where it is too long.
  public static String of(Value value) {
    var text = value instanceof Value.Text(var words) ? words : Json.write(value);
    if (text.length() <= LENGTH_MAX) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LENGTH_MAX - 1)) ? LENGTH_MAX - 1 : LENGTH_MAX;
    return text.substring(0, end) + "…";
  }
}
