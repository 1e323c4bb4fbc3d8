package dev.superstep.pattern;

/// A regular expression that is none, or is larger than what is compiled. The message says why.
public final class PatternException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  PatternException(String message) {
    super(message);
  }

  PatternException(String message, Throwable cause) {
    super(message, cause);
  }
}
