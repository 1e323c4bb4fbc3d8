package dev.superstep.definition.diagram;

/// The colours that all kinds of diagrams share.
final class Palette {
  private Palette() {}

  static String fill(Mark mark) {
    return switch (mark) {
      case DONE -> "#d4f4dd";
      case HANDLED -> "#f3e0c7";
      case ACTIVE -> "#d6e8ff";
      case FAILED -> "#ffd9d6";
      case INTERRUPTED -> "#fff1c9";
    };
  }

  static String style(Mark mark) {
    return switch (mark) {
      case DONE -> "#2e7d32";
      case HANDLED -> "#b45309";
      case ACTIVE -> "#1565c0";
      case FAILED -> "#c62828";
      case INTERRUPTED -> "#b58900";
    };
  }

  static String shorten(String text, int max) {
    return text.codePointCount(0, text.length()) <= max
        ? text
        : text.substring(0, text.offsetByCodePoints(0, max - 1)) + "…";
  }
}
