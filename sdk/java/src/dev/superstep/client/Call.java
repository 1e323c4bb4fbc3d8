package dev.superstep.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// One operation of the API.
///
/// @param query lists give a parameter several times, nulls none
/// @param body null, a [Definition], or what is written as JSON
record Call(
    String method,
    String path,
    Map<String, ?> query,
    Object body,
    Repeat repeat,
    String accept) {

  /// When a call may be sent again: always, with one key, or never.
  enum Repeat {
    SAFE,
    KEYED,
    NEVER
  }

  /// A value as part of a path. `.` and `..` would be taken for folders.
  static String part(Object value) {
    var text = String.valueOf(value);
    if (text.isEmpty() || text.equals(".") || text.equals("..")) {
      throw new IllegalArgumentException("\"" + text + "\" cannot be part of a path");
    }
    return encode(text);
  }

  /// Path and query.
  String target() {
    var target = new StringBuilder();
    query.forEach((name, value) -> {
      for (var item : value instanceof Iterable<?> items ? items : java.util.Arrays.asList(value)) {
        if (item != null) {
          target.append(target.isEmpty() ? '?' : '&').append(encode(name)).append('=');
          target.append(encode(item.toString()));
        }
      }
    });
    return path + target;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
