package dev.superstep.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// A place in a list as clients carry it: opaque to them, a few texts to us.
public final class Cursor {
  private static final String SEPARATOR = "\u001f";

  private Cursor() {}

  public static String write(List<String> parts) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(String.join(SEPARATOR, parts).getBytes(StandardCharsets.UTF_8));
  }

  /// @return exactly `count` parts
  /// @throws dev.superstep.problem.ServiceException if no earlier answer can have said that
  public static List<String> read(String cursor, int count) {
    try {
      var text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      var parts = List.of(text.split(SEPARATOR, -1));
      if (parts.size() == count && text.indexOf('\0') < 0) {
        return parts;
      }
    } catch (IllegalArgumentException _) {
      // said below
    }
    throw invalid();
  }

  /// A cursor that reads as something no list has.
  public static RuntimeException invalid() {
    return Query.invalid("cursor", "is not a next_cursor of this list");
  }
}
