package dev.superstep.run;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// What metadata must contain, at any depth. The database compares each item of its lists with each
/// item of a stored list: that is why there may be few of them.
///
/// @param contained empty: any metadata will do
public record MetadataFilter(ObjectValue contained) {
  /// Canonical size, that of the metadata of a thread at most.
  public static final int BYTES_MAX = 16 * 1024;

  /// Items of all its lists, at any depth.
  public static final int ITEMS_MAX = 64;

  /// @throws ServiceException `limit_exceeded` at `/metadata`
  public MetadataFilter {
    problem(contained)
        .ifPresent(it -> {
          throw ServiceException.at("/metadata", ErrorCode.LIMIT_EXCEEDED, it);
        });
  }

  /// Why this cannot be searched for; empty: it can.
  public static Optional<String> problem(ObjectValue contained) {
    if (Canonical.size(contained) > BYTES_MAX) {
      return Optional.of(
          "may have at most %d bytes, as that of a thread; search for fewer members"
              .formatted(BYTES_MAX));
    }
    return items(contained) > ITEMS_MAX
        ? Optional.of(
            "may have at most %d items in its lists; search for fewer of them".formatted(ITEMS_MAX))
        : Optional.empty();
  }

  public boolean isEmpty() {
    return contained.isEmpty();
  }

  public boolean hasLists() {
    return hasList(contained);
  }

  private static int items(Value value) {
    return switch (value) {
      case ObjectValue members ->
          members.asMap().values().stream().mapToInt(MetadataFilter::items).sum();
      case ListValue items -> items.size() + items.stream().mapToInt(MetadataFilter::items).sum();
      case Value.Text _, Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> 0;
    };
  }

  private static boolean hasList(Value value) {
    return value instanceof ListValue
        || (value instanceof ObjectValue members
            && members.asMap().values().stream().anyMatch(MetadataFilter::hasList));
  }
}
