package dev.superstep.definition.form;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Finds the known name closest to a misspelt one.
public final class Suggestion {
  /// Longer names are not compared: the work grows with the product of the lengths.
  private static final int LENGTH_MAX = 64;

  private Suggestion() {}

  /// ` (did you mean 'x'?)`, or nothing when no known name is close.
  public static String among(Collection<String> known, String given) {
    return nearest(known, given).map(" (did you mean '%s'?)"::formatted).orElse("");
  }

  private static Optional<String> nearest(Collection<String> known, String given) {
    if (given.length() > LENGTH_MAX) {
      return Optional.empty();
    }
    int tolerated = Math.max(1, given.length() / 3);
    return known.stream()
        .filter(it -> Math.abs(it.length() - given.length()) <= tolerated)
        .filter(it -> distance(it, given) <= tolerated)
        .min(Comparator.comparingInt((String it) -> distance(it, given)).thenComparing(it -> it));
  }

  /// Levenshtein's distance, in which a swap of two letters counts once.
  private static int distance(String left, String right) {
    int[] earlier = new int[right.length() + 1];
    int[] above = new int[right.length() + 1];
    Arrays.setAll(above, i -> i);
    for (int i = 1; i <= left.length(); i++) {
      int[] row = new int[right.length() + 1];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = above[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
        if (isSwapped(left, i, right, j)) {
          row[j] = Math.min(row[j], 1 + earlier[j - 2]);
        }
      }
      earlier = above;
      above = row;
    }
    return above[right.length()];
  }

  private static boolean isSwapped(String left, int i, String right, int j) {
    return i > 1
        && j > 1
        && left.charAt(i - 1) == right.charAt(j - 2)
        && left.charAt(i - 2) == right.charAt(j - 1);
  }
}
