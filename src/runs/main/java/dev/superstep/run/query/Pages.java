package dev.superstep.run.query;

import dev.superstep.problem.Cursor;
import dev.superstep.run.Page;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Cuts pages from lists that were read one item further than requested.
final class Pages {
  /// Rows that are in memory at a time before they are decoded, within a transaction: each may
  /// carry metadata.
  static final int FETCHED = 20;

  private Pages() {}

  /// @param place position of the last item, behind which the next page begins
  static <T> Page<T> of(List<T> found, int limit, Function<T, List<String>> place) {
    if (found.size() <= limit) {
      return new Page<>(found, Optional.empty());
    }
    var items = found.subList(0, limit);
    return new Page<>(items, Optional.of(Cursor.write(place.apply(items.getLast()))));
  }
}
