package dev.superstep.memory;

import java.util.List;

/// A search for items, newest first.
///
/// @param prefix items in it and in namespaces within it
/// @param filter all of these hold
/// @param offset how many of the items found are left out
/// @param refresh whether the items that are found live on from now
record ItemSearch(
    Namespace prefix, List<ItemCondition> filter, int limit, int offset, boolean refresh) {
  ItemSearch {
    filter = List.copyOf(filter);
  }
}
