package dev.superstep.langgraph.protocol;

import java.util.Optional;

/// The number of an event in its thread, `seq` for clients, which compute with 53 bits: 15 of the
/// run's place in the thread, 20 of the stored event, 14 of the index of what has become of that,
/// and 4 of the part of this.
///
/// @param ordinal of the run in its thread
/// @param seq of the stored event
/// @param index 0: before anything that the event becomes
record EventNumber(long ordinal, long seq, long index, int part) {
  private static final int SEQ_BITS = 20;
  private static final int INDEX_BITS = 14;
  private static final int PART_BITS = 4;
  private static final long ORDINALS = 1L << 15;
  private static final long SEQS = 1L << SEQ_BITS;
  private static final long INDEXES = 1L << INDEX_BITS;

  /// The last part of whatever has parts.
  static final int LAST = (1 << PART_BITS) - 1;

  static EventNumber before(long ordinal, long seq) {
    return new EventNumber(ordinal, seq, 0, 0);
  }

  /// Behind all that a stored event becomes.
  static EventNumber behind(long ordinal, long seq) {
    return new EventNumber(ordinal, seq, INDEXES - 1, LAST);
  }

  boolean isLast() {
    return index == INDEXES - 1;
  }

  /// Empty beyond what clients can compute with.
  Optional<Long> value() {
    return ordinal < ORDINALS && seq < SEQS && index < INDEXES
        ? Optional.of((((ordinal << SEQ_BITS | seq) << INDEX_BITS | index) << PART_BITS) | part)
        : Optional.empty();
  }

  static EventNumber of(long value) {
    long index = value >>> PART_BITS;
    long seq = index >>> INDEX_BITS;
    return new EventNumber(
        seq >>> SEQ_BITS, seq & (SEQS - 1), index & (INDEXES - 1), (int) (value & LAST));
  }
}
