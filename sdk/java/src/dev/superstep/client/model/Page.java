package dev.superstep.client.model;

import java.util.List;

/// Some items of a list, and where the next ones are.
public interface Page<T> {
  List<T> items();

  /// Null at the end of the list.
  String nextCursor();
}
