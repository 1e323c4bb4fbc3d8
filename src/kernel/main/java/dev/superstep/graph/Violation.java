package dev.superstep.graph;

import java.io.Serializable;

/// One mistake in data from outside: an error, or something to warn of.
///
/// @param pointer JSON pointer (RFC 6901) to it; "" is the whole
/// @param code stable, `[a-z0-9_]+`
/// @param message includes the remedy
/// @param line from 1, in the text of an expression or of the whole; 0: there is none, or it is not
///   known
/// @param column in that line, from 1; 0 likewise
public record Violation(String pointer, String code, String message, int line, int column)
    implements Serializable {

  public static Violation of(String pointer, String code, String message) {
    return new Violation(pointer, code, message, 0, 0);
  }

  public boolean hasPosition() {
    return line > 0;
  }

  /// This violation, seen from further out: `prefix` is put before its pointer.
  public Violation under(String prefix) {
    return new Violation(prefix + pointer, code, message, line, column);
  }

  /// This violation, reported at another location.
  public Violation movedTo(String pointer) {
    return new Violation(pointer, code, message, line, column);
  }

  public Violation saying(String message) {
    return new Violation(pointer, code, message, line, column);
  }

  public Violation at(int line, int column) {
    return new Violation(pointer, code, message, line, column);
  }
}
