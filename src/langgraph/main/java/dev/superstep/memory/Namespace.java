package dev.superstep.memory;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Tenant;
import java.util.List;

/// Where an item is: labels, from the outermost on, such as `users`, `u-17`, `memories`. Rows of
/// other tenants than the default one have two labels before them, an empty one, which clients
/// cannot write, and the tenant's name.
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

  /// As rows of the tenant of this request store it.
  static Namespace stored(String text) {
    var all = List.of(text.split("\\.", -1));
    return new Namespace(all.getFirst().isEmpty() ? all.subList(2, all.size()) : all);
  }

  /// As rows of the tenant of this request store it; of the outermost one, what they begin with.
  String text() {
    var tenant = Tenant.current();
    var text = String.join(".", labels);
    return tenant.isDefault() ? text : "." + tenant.name() + (labels.isEmpty() ? "" : "." + text);
  }
}
