package dev.superstep.definition.read;

import java.util.List;
import java.util.Optional;

/// What a test gives call by call.
///
/// @param items at least one if there is one for every call
public record Series<T>(List<T> items, SeriesUse use) {
  public Series {
    items = List.copyOf(items);
  }

  /// How far the items reach.
  public enum SeriesUse {
    /// The only item is given to every call.
    EVERY_CALL,
    /// Each item is given once, in order.
    ONCE_EACH
  }

  /// @param call from 0
  /// @return empty: they are used up
  public Optional<T> at(int call) {
    int index = use == SeriesUse.EVERY_CALL ? 0 : call;
    return index < items.size() ? Optional.of(items.get(index)) : Optional.empty();
  }
}
