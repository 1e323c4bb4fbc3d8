package dev.superstep.context;

import dev.superstep.state.value.Canonical;

/// Limits the history that a prompt context keeps (C27). The oldest entries go first, so that a
/// long conversation costs the same as a short one and never ends a run by its size.
///
/// @param keepLast entries
/// @param maxBytes canonical bytes of the entries together; an entry that is larger by itself is
///   not kept either
public record HistoryLimit(int keepLast, long maxBytes) {
  public static final int KEEP_LAST_DEFAULT = 100;
  public static final long MAX_BYTES_DEFAULT = 1L << 20;
  public static final HistoryLimit DEFAULT = new HistoryLimit(KEEP_LAST_DEFAULT, MAX_BYTES_DEFAULT);
  public static final HistoryLimit UNBOUNDED = new HistoryLimit(Integer.MAX_VALUE, Long.MAX_VALUE);

  /// How many of the oldest entries are dropped.
  public int excess(PromptContext context) {
    var history = context.history();
    int size = history.size();
    int surplus = Math.max(0, size - keepLast);
    if (surplus == 0 && Canonical.size(history) <= maxBytes) {
      return 0;
    }
    long bytes = 1; // each entry has a comma or bracket behind it
    int from = size;
    while (from > surplus) {
      bytes += Canonical.size(history.get(from - 1)) + 1;
      if (bytes > maxBytes) {
        break;
      }
      from--;
    }
    return from;
  }

  /// The context with no more than this of its history; the same instance if it has no more.
  public PromptContext bound(PromptContext context) {
    return context.withoutOldest(excess(context));
  }
}
