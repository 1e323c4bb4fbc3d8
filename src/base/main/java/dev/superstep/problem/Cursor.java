package dev.superstep.problem;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/// A position in a list as clients carry it: opaque to them, a few texts, times and numbers to us.
/// A cursor that no list can have issued is a 422 `invalid_parameter`, since clients can write
/// cursors of their own.
public final class Cursor {
  private static final String SEPARATOR = "\u001f";

  private final List<String> parts;

  private Cursor(List<String> parts) {
    this.parts = parts;
  }

  public static String write(List<String> parts) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(String.join(SEPARATOR, parts).getBytes(StandardCharsets.UTF_8));
  }

  /// @param count of the parts that the list writes
  /// @throws dev.superstep.problem.ServiceException if no earlier answer can have issued it
  public static Cursor read(String cursor, int count) {
    try {
      var text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      var parts = List.of(text.split(SEPARATOR, -1));
      if (parts.size() == count && text.indexOf('\0') < 0) {
        return new Cursor(parts);
      }
    } catch (IllegalArgumentException _) {
      // reported below
    }
    throw invalid();
  }

  public String text(int part) {
    return parts.get(part);
  }

  public Instant time(int part) {
    return TimeText.parse(text(part)).orElseThrow(Cursor::invalid);
  }

  /// From 0.
  public int integer(int part) {
    long number = number(part);
    if (number > Integer.MAX_VALUE) {
      throw invalid();
    }
    return (int) number;
  }

  /// From 0.
  public long number(int part) {
    try {
      long number = Long.parseLong(text(part));
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw invalid();
  }

  /// A cursor that reads as something no list has.
  public static RuntimeException invalid() {
    return Query.invalid("cursor", "is not a next_cursor of this list");
  }
}
