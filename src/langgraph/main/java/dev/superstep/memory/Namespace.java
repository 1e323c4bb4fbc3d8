package dev.superstep.memory;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.List;

/// Where an item is: labels, from the outermost on, such as `users`, `u-17`, `memories`.
///
/// @param labels empty: the outermost namespace, which contains all others and no items
record Namespace(List<String> labels) {
  private static final int LABELS_MAX = 20;
  private static final int LABEL_CHARS_MAX = 200;

  Namespace {
    labels = List.copyOf(labels);
  }

  /// A namespace that a request names.
  ///
  /// @param pointer to it in the request
  /// @throws ServiceException if a label cannot be one
  static Namespace of(List<String> labels, String pointer) {
    if (labels.size() > LABELS_MAX) {
      throw invalid(pointer, "may have at most %d labels".formatted(LABELS_MAX));
    }
    for (int i = 0; i < labels.size(); i++) {
      check(labels.get(i), pointer + "/" + i);
    }
    return new Namespace(labels);
  }

  private static void check(String label, String pointer) {
    if (label.isEmpty() || label.length() > LABEL_CHARS_MAX) {
      throw invalid(pointer, "must have 1 to %d characters".formatted(LABEL_CHARS_MAX));
    }
    if (label.indexOf('.') >= 0) {
      throw invalid(pointer, "must not contain a dot; the labels of a namespace are a list");
    }
    if (label.indexOf('\0') >= 0) {
      throw invalid(pointer, "must not contain the character U+0000");
    }
  }

  private static ServiceException invalid(String pointer, String message) {
    return ServiceException.at(pointer, ErrorCode.INVALID_VALUE, message);
  }

  /// As rows store it.
  static Namespace stored(String text) {
    return new Namespace(List.of(text.split("\\.", -1)));
  }

  /// As rows store it.
  String text() {
    return String.join(".", labels);
  }
}
