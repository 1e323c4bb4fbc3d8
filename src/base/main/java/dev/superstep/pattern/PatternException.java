package dev.superstep.pattern;

/// Thrown for an invalid regular expression, or one that is too large to compile. The message gives
/// the reason.
public final class PatternException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final boolean tooLarge;

  PatternException(String message) {
    super(message);
    tooLarge = false;
  }

  private PatternException(String message, boolean tooLarge) {
    super(message);
    this.tooLarge = tooLarge;
  }

  static PatternException tooLarge(String message) {
    return new PatternException(message, true);
  }

  /// Whether it could be used if it were smaller.
  public boolean isTooLarge() {
    return tooLarge;
  }

  PatternException(String message, Throwable cause) {
    super(message, cause);
    tooLarge = false;
  }
}
