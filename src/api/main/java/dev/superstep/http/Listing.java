package dev.superstep.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.Query;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Part of a list, as the API answers with it.
///
/// @param nextCursor the `?cursor=` of the next call; null: this is the end
public record Listing<T>(List<T> items, @JsonProperty("next_cursor") @Nullable String nextCursor) {
  public Listing {
    items = List.copyOf(items);
  }

  public static <T> Listing<T> of(List<T> items, Optional<String> nextCursor) {
    return new Listing<>(items, nextCursor.orElse(null));
  }

  /// The part of a list in memory that `query` asks for. Its cursors are positions in the list.
  public static <T> Listing<T> part(List<T> all, Query query) {
    int from = query.cursor().map(it -> Cursor.read(it, 1).integer(0)).orElse(0);
    if (from > all.size()) {
      throw Cursor.invalid();
    }
    int to = Math.min(all.size(), from + query.limit());
    Optional<String> next =
        to < all.size() ? Optional.of(Cursor.write(List.of(String.valueOf(to)))) : Optional.empty();
    return of(all.subList(from, to), next);
  }
}
