package dev.superstep.definition;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Finds the known name closest to a misspelt one.
public final class Suggestion {
  /// Longer names are not compared: the work grows with the product of the lengths.
  private static final int LENGTH_MAX = 64;

  /// What authors write who know other languages for graphs, and what it may be here.
  private static final Map<String, List<String>> SYNONYMS =
      Map.ofEntries(
          Map.entry("if", List.of("when", "condition")),
          Map.entry("when", List.of("condition")),
          Map.entry("condition", List.of("when")),
          Map.entry("source", List.of("from")),
          Map.entry("target", List.of("to")),
          Map.entry("then", List.of("to")),
          Map.entry("default", List.of("else")),
          Map.entry("steps", List.of("nodes")),
          Map.entry("state", List.of("channels")),
          Map.entry("end", List.of("__end__")),
          Map.entry("start", List.of("__start__")));

  private Suggestion() {}

  /// ` (did you mean 'x'?)`, or nothing when no known name is close.
  public static String among(Collection<String> known, String given) {
    return nearest(known, given).map(" (did you mean '%s'?)"::formatted).orElse("");
  }

  private static Optional<String> nearest(Collection<String> known, String given) {
    if (given.length() > LENGTH_MAX) {
      return Optional.empty();
    }
    var lower = given.toLowerCase(Locale.ROOT);
    var meant =
        SYNONYMS.getOrDefault(lower, List.of()).stream().filter(known::contains).findFirst();
    if (meant.isPresent()) {
      return meant;
    }
    var cased = known.stream().filter(it -> it.equalsIgnoreCase(given)).findFirst();
    if (cased.isPresent()) {
      return cased;
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
