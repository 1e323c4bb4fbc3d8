package dev.superstep.memory;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.List;

/// Where an item is: labels, from the outermost on, such as `users`, `u-17`, `memories`. Rows of
/// other tenants than the default one have two labels before them, an empty one, which clients
/// cannot write, and the tenant's name. What limited callers write and see is behind a further one,
/// their id.
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
    var skipped = (all.getFirst().isEmpty() ? 2 : 0) + owner().size();
    return new Namespace(all.subList(skipped, all.size()));
  }

  /// As rows of the tenant of this request store it; of the outermost one, what they begin with.
  String text() {
    var tenant = Tenant.current();
    var all = new ArrayList<String>(tenant.isDefault() ? List.of() : List.of("", tenant.name()));
    all.addAll(owner());
    all.addAll(labels);
    return String.join(".", all);
  }

  /// What the namespaces of this request's caller begin with for all others.
  private static List<String> owner() {
    return Reach.current().map(Namespace::owner).orElse(List.of());
  }

  /// Items are of no graph, so that those of some graphs cannot be told from others.
  private static List<String> owner(Reach reach) {
    if (!reach.hasOwner()) {
      throw new ServiceException(
          ErrorCode.FORBIDDEN, "a key or token that is limited to graphs has no memory");
    }
    return List.of(reach.caller());
  }
}
