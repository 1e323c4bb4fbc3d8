package dev.superstep.bench;

import java.util.Locale;

/// Writes numbers with as many digits as mean something.
final class Numbers {
  private Numbers() {}

  static String text(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    double size = Math.abs(value);
    var format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f";
    return size == 0 ? "0" : String.format(Locale.ROOT, format, value);
  }
}
