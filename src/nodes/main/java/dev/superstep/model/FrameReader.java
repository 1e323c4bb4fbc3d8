package dev.superstep.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Takes a stream apart as it arrives.
final class FrameReader {
  private static final String DATA = "data:";

  private final InputStream in;
  private final byte[] buffer = new byte[8_192];
  private int at;
  private int end;

  /// @param in ends at a limit
  FrameReader(InputStream in) {
    this.in = in;
  }

  /// Passes lines on, without empty ones, until one is the last.
  ///
  /// @return whether there was a last one; if not, the stream has ended
  boolean passLines(Predicate<String> isLast) throws IOException {
    for (var line = next(); line != null; line = next()) {
      if (!line.isBlank() && isLast.test(line)) {
        return true;
      }
    }
    return false;
  }

  /// Passes the data of server-sent events on, until one is the last. An event may end with the
  /// stream, where the standard wants an empty line.
  ///
  /// @return whether there was a last one; if not, the stream has ended
  boolean passEvents(Predicate<String> isLast) throws IOException {
    var data = new StringBuilder();
    for (var line = next(); line != null; line = next()) {
      if (line.startsWith(DATA)) {
        data.append(data.isEmpty() ? "" : "\n").append(line, DATA.length(), line.length());
      } else if (line.isEmpty() && isLast(data, isLast)) {
        return true;
      }
    }
    return isLast(data, isLast);
  }

  private static boolean isLast(StringBuilder data, Predicate<String> isLast) {
    var event = data.toString().strip();
    data.setLength(0);
    return !event.isEmpty() && isLast.test(event);
  }

  /// The next line without its end; null if there is none.
  private @Nullable String next() throws IOException {
    var line = new ByteArrayOutputStream();
    while (at < end || fill()) {
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      line.write(buffer, from, at - from);
      if (at < end) {
        at++;
        return text(line);
      }
    }
    return line.size() == 0 ? null : text(line);
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(in.read(buffer), 0);
    return end > 0;
  }

  private static String text(ByteArrayOutputStream line) {
    var text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
