package dev.superstep.langgraph.run;

import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads query parameters in all forms in which clients send them.
///
/// @param request whose query it is
record QueryWords(HttpServletRequest request) {

  /// `1` or `true`.
  boolean flag(String name) {
    var word = request.getParameter(name);
    return word != null && (word.equals("1") || word.toLowerCase(Locale.ROOT).equals("true"));
  }

  /// The words of a parameter that may be repeated, or be a list in JSON or with commas.
  List<String> all(String name) {
    var values = request.getParameterValues(name);
    var words = new ArrayList<String>();
    for (var value : values == null ? new String[0] : values) {
      if (value.startsWith("[")) {
        words.addAll(list(value));
      } else {
        for (var word : value.split(",", -1)) {
          words.add(word.strip());
        }
      }
    }
    words.removeIf(String::isEmpty);
    return words;
  }

  private static List<String> list(String json) {
    try {
      return ListValue.orEmpty(Json.read(json)).stream()
          .map(it -> it instanceof Value.Text(var text) ? text : Json.write(it))
          .toList();
    } catch (JsonException notJson) {
      return List.of(json);
    }
  }
}
