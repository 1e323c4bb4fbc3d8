package dev.superstep.memory;

import java.util.List;
import java.util.OptionalInt;

/// A search for namespaces that have items, in alphabetical order.
///
/// @param prefix the labels they begin with; `*` stands for any label
/// @param suffix the labels they end with; `*` stands for any label
/// @param depthMax deeper ones are shown as the namespace of this depth that they are in; empty: as
///   they are
/// @param offset how many of those found are left out
record NamespaceSearch(
    List<String> prefix, List<String> suffix, OptionalInt depthMax, int limit, int offset) {
  private static final String ANY = "*";
  private static final String ANY_LABEL = "[^.]+";

  NamespaceSearch {
    prefix = List.copyOf(prefix);
    suffix = List.copyOf(suffix);
  }

  /// An expression that the stored text of a namespace must match for its prefix.
  String prefixExpression() {
    return prefix.isEmpty() ? "" : "^" + expression(prefix) + "(\\.|$)";
  }

  /// An expression that the stored text of a namespace must match for its suffix.
  String suffixExpression() {
    return suffix.isEmpty() ? "" : "(^|\\.)" + expression(suffix) + "$";
  }

  private static String expression(List<String> labels) {
    return String.join("\\.", labels.stream().map(NamespaceSearch::expression).toList());
  }

  private static String expression(String label) {
    if (label.equals(ANY)) {
      return ANY_LABEL;
    }
    var quoted = new StringBuilder();
    label
        .chars()
        .forEach(it -> {
          if (it < 128 && !Character.isLetterOrDigit(it)) {
            quoted.append('\\');
          }
          quoted.append((char) it);
        });
    return quoted.toString();
  }
}
