package dev.superstep.run;

import java.util.List;
import java.util.Optional;

/// Part of a list.
///
/// @param next cursor of the page behind this one; empty: there is none
public record Page<T>(List<T> items, Optional<String> next) {
  public Page {
    items = List.copyOf(items);
  }

  /// Which part of a list is requested.
  ///
  /// @param cursor of an earlier page; empty: from the beginning
  /// @param limit at least 1
  public record Request(Optional<String> cursor, int limit) {
    public static Request first(int limit) {
      return new Request(Optional.empty(), limit);
    }
  }
}
