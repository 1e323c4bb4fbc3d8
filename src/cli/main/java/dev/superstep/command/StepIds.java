package dev.superstep.command;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Gives names of LangGraph's, which may be any text, names that a definition takes.
final class StepIds {
  private static final int CHARS_MAX = 64;

  private final Map<String, String> ids = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /// The same for the same name, and another one for every other.
  String of(String name) {
    if (name.equals(ImportedNode.START) || name.equals(ImportedNode.END)) {
      return name;
    }
    return ids.computeIfAbsent(name, it -> unique(sanitized(it)));
  }

  /// Names of graphs have no capitals.
  static String graph(String name) {
    return sanitized(name.toLowerCase(Locale.ROOT));
  }

  private String unique(String id) {
    var free = id;
    for (int i = 2; !taken.add(free); i++) {
      var suffix = "_" + i;
      free = id.substring(0, Math.min(id.length(), CHARS_MAX - suffix.length())) + suffix;
    }
    return free;
  }

  private static String sanitized(String name) {
    var id = name.replaceAll("[^A-Za-z0-9_-]+", "_").replaceAll("^[^A-Za-z]+", "");
    if (id.isEmpty()) {
      id = "n" + name.replaceAll("[^A-Za-z0-9]+", "_");
    }
    return id.substring(0, Math.min(id.length(), CHARS_MAX));
  }
}
