package dev.superstep.langgraph.run;

import java.util.Optional;

/// The number of an event in its thread, `seq` for clients, which compute with 53 bits: 15 of the
/// run's place in the thread, 20 of the stored event, 14 of the index of what has become of that,
/// and 4 of the part of this. In later histories of the database than the first, 3 of the 15 say
/// which: the last ones of its number.
///
/// @param era history in which the event is sent
/// @param ordinal of the run in its thread
/// @param seq of the stored event
/// @param index 0: before anything that the event becomes
record EventNumber(int era, long ordinal, long seq, long index, int part) {
  private static final int SEQ_BITS = 20;
  private static final int INDEX_BITS = 14;
  private static final int PART_BITS = 4;
  private static final int ORDINAL_BITS = 15;
  private static final int ERA_BITS = 3;
  private static final int ERAS = 1 << ERA_BITS;
  private static final int LATER_ORDINAL_BITS = ORDINAL_BITS - ERA_BITS;
  private static final long SEQS = 1L << SEQ_BITS;
  private static final long INDEXES = 1L << INDEX_BITS;

  /// The last part of whatever has parts.
  static final int LAST = (1 << PART_BITS) - 1;

  static EventNumber before(int era, long ordinal, long seq) {
    return new EventNumber(era, ordinal, seq, 0, 0);
  }

  /// Behind all that a stored event becomes.
  static EventNumber behind(int era, long ordinal, long seq) {
    return new EventNumber(era, ordinal, seq, INDEXES - 1, LAST);
  }

  boolean isLast() {
    return index == INDEXES - 1;
  }

  /// Empty beyond what clients can compute with.
  Optional<Long> value() {
    int bits = era <= 1 ? ORDINAL_BITS : LATER_ORDINAL_BITS;
    if (ordinal >= 1L << bits || seq >= SEQS || index >= INDEXES) {
      return Optional.empty();
    }
    long place = (long) (era <= 1 ? 0 : (era - 1) % ERAS) << LATER_ORDINAL_BITS | ordinal;
    return Optional.of((((place << SEQ_BITS | seq) << INDEX_BITS | index) << PART_BITS) | part);
  }

  /// @param now the history in which the database is: a number is of that or an earlier one
  static EventNumber of(long value, int now) {
    long index = value >>> PART_BITS;
    long seq = index >>> INDEX_BITS;
    long place = seq >>> SEQ_BITS;
    long ordinal = now <= 1 ? place : place & ((1L << LATER_ORDINAL_BITS) - 1);
    int behind = Math.floorMod(now - 1 - (int) (place >>> LATER_ORDINAL_BITS), ERAS);
    return new EventNumber(
        now <= 1 ? 1 : Math.max(1, now - behind),
        ordinal,
        seq & (SEQS - 1),
        index & (INDEXES - 1),
        (int) (value & LAST));
  }
}
