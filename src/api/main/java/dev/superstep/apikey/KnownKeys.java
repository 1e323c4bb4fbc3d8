package dev.superstep.apikey;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/// All keys, as they were read last. They are few, and read as a whole, so that strangers who send
/// ids that do not exist cost no query each.
final class KnownKeys {
  /// The bound on how long a key may still be taken that was revoked elsewhere.
  static final Duration REMEMBERED = Duration.ofSeconds(10);

  /// How long an id that is not there, or a failure to read, is believed: a key that was made at
  /// another replica is taken after that.
  private static final Duration DOUBTED = Duration.ofSeconds(1);

  private final Supplier<Map<String, KeyRows.Row>> rows;
  private final LongSupplier nanos;
  private volatile @Nullable Reading last;

  /// @param rows reads all, by id
  KnownKeys(Supplier<Map<String, KeyRows.Row>> rows, LongSupplier nanos) {
    this.rows = rows;
    this.nanos = nanos;
  }

  /// @param failure why nothing could be read; null if it could
  private record Reading(
      long at, Map<String, KeyRows.Row> rows, @Nullable DataAccessException failure) {

    boolean answers(String id, long now) {
      var sure = failure == null && rows.containsKey(id) ? REMEMBERED : DOUBTED;
      return now - at < sure.toNanos();
    }
  }

  /// @throws DataAccessException if the keys cannot be read
  Optional<KeyRows.Row> find(String id) {
    var reading = last;
    if (reading == null || !reading.answers(id, nanos.getAsLong())) {
      reading = read(id);
    }
    if (reading.failure() != null) {
      throw reading.failure();
    }
    return Optional.ofNullable(reading.rows().get(id));
  }

  /// Who waits for another's reading takes that one.
  private synchronized Reading read(String id) {
    var now = last;
    if (now == null || !now.answers(id, nanos.getAsLong())) {
      now = read();
      last = now;
    }
    return now;
  }

  private Reading read() {
    try {
      return new Reading(nanos.getAsLong(), Map.copyOf(rows.get()), null);
    } catch (DataAccessException e) {
      return new Reading(nanos.getAsLong(), Map.of(), e);
    }
  }

  /// A key was made or revoked here.
  synchronized void forget() {
    last = null;
  }
}
