package dev.superstep.run;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/// The place of a checkpoint in the history of its thread. A thread commits one checkpoint at a
/// time, so that the time of the commit orders them; where two have one time, the run and the
/// number do.
///
/// @param at time of the commit, to the microsecond
/// @param ordinal of the run in its thread
/// @param number of the checkpoint in its run
public record ThreadCheckpointId(Instant at, long ordinal, int number) {
  private static final int NUMBER_BITS = 31;
  private static final long NUMBERS = (1L << NUMBER_BITS) - 1;
  private static final long VERSION = 8L << 12;
  private static final long VARIANT = 1L << 63;
  private static final int UUID_CHARS = 36;

  /// The id of the state before the input of the run that this is the first checkpoint of: between
  /// this and whatever the thread had committed before.
  public ThreadCheckpointId beforeInput() {
    return new ThreadCheckpointId(at.minus(1, ChronoUnit.MICROS), ordinal, 0);
  }

  /// Reads a [#text]; empty if it is none.
  public static Optional<ThreadCheckpointId> parse(String text) {
    if (text.length() != UUID_CHARS) {
      return Optional.empty();
    }
    try {
      var id = UUID.fromString(text);
      long high = id.getMostSignificantBits();
      long low = id.getLeastSignificantBits();
      long micros = (high >>> 16 << 4) | ((high >>> 8) & 15);
      long ordinal = ((high & 255) << NUMBER_BITS) | ((low >>> NUMBER_BITS) & NUMBERS);
      var read =
          new ThreadCheckpointId(
              Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ordinal, (int) (low & NUMBERS));
      return Optional.of(read).filter(it -> it.text().equalsIgnoreCase(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// A UUID of version 8 (RFC 9562): 52 bits of microseconds since 1970, 39 of the ordinal, 31 of
  /// the number. Texts of such ids are ordered as the ids are.
  public String text() {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, at);
    long end = ((micros & 15) << 8) | ((ordinal >>> NUMBER_BITS) & 255);
    long high = (micros >>> 4 << 16) | VERSION | end;
    long low = VARIANT | ((ordinal & NUMBERS) << NUMBER_BITS) | number;
    return new UUID(high, low).toString();
  }
}
