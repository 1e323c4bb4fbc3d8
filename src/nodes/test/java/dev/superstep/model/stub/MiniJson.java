package dev.superstep.model.stub;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Just enough JSON for the stub, which has to run with nothing but a JDK.
final class MiniJson {
  private final String text;
  private int at;

  private MiniJson(String text) {
    this.text = text;
  }

  /// Objects are maps, arrays are lists, numbers are doubles, null is the text "null".
  static Object read(String text) {
    var reader = new MiniJson(text);
    var value = reader.value();
    reader.space();
    if (reader.at < text.length()) {
      throw new IllegalArgumentException("the text goes on at " + reader.at);
    }
    return value;
  }

  static String quote(String text) {
    if (text.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\')) {
      return '"' + text + '"';
    }
    var out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        default -> out.append(c < ' ' ? "\\u%04x".formatted((int) c) : String.valueOf(c));
      }
    }
    return out.append('"').toString();
  }

  private Object value() {
    space();
    return switch (text.charAt(at)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    };
  }

  private Map<String, Object> object() {
    var object = new LinkedHashMap<String, Object>();
    at++;
    while (next() != '}') {
      var key = string();
      space();
      at++;
      object.put(key, value());
    }
    at++;
    return object;
  }

  private List<Object> array() {
    var array = new ArrayList<>();
    at++;
    while (next() != ']') {
      array.add(value());
    }
    at++;
    return array;
  }

  private char next() {
    space();
    if (text.charAt(at) == ',') {
      at++;
      space();
    }
    return text.charAt(at);
  }

  private Object word() {
    int from = at;
    while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    var word = text.substring(from, at);
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> word;
      default -> Double.valueOf(word);
    };
  }

  private String string() {
    int from = ++at;
    while (text.charAt(at) != '"' && text.charAt(at) != '\\') {
      at++;
    }
    if (text.charAt(at) == '"') {
      return text.substring(from, at++);
    }
    var out = new StringBuilder().append(text, from, at);
    for (; text.charAt(at) != '"'; at++) {
      out.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
    }
    at++;
    return out.toString();
  }

  private char escaped() {
    char c = text.charAt(++at);
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
      }
      default -> c;
    };
  }

  private void space() {
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
  }
}
