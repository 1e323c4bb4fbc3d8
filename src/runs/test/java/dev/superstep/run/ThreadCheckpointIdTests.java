package dev.superstep.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Ids that clients compare as text.
class ThreadCheckpointIdTests {
  private static final Comparator<ThreadCheckpointId> ORDER =
      Comparator.comparing(ThreadCheckpointId::at)
          .thenComparingLong(ThreadCheckpointId::ordinal)
          .thenComparingInt(ThreadCheckpointId::number);

  @Test
  void ascendAsTextInTheOrderOfTheirParts() {
    var random = new Random(7);
    var base = Instant.parse("2026-01-31T12:00:00Z");
    var ids = new ArrayList<ThreadCheckpointId>();
    for (int i = 0; i < 2_000; i++) {
      ids.add(
          new ThreadCheckpointId(
              base.plus(random.nextLong(random.nextBoolean() ? 40 : 1L << 50), ChronoUnit.MICROS),
              random.nextLong(random.nextBoolean() ? 3 : 1L << 39),
              random.nextInt(random.nextBoolean() ? 3 : Integer.MAX_VALUE)));
    }

    assertThat(ids.stream().distinct().sorted(ORDER).map(ThreadCheckpointId::text))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void areUuidsOfVersion8() {
    var largest =
        new ThreadCheckpointId(
            Instant.parse("2110-01-01T00:00:00Z"), (1L << 39) - 1, Integer.MAX_VALUE);
    for (var id : new ThreadCheckpointId[] {new ThreadCheckpointId(Instant.EPOCH, 0, 0), largest}) {
      var uuid = UUID.fromString(id.text());
      assertThat(uuid.version()).isEqualTo(8);
      assertThat(uuid.variant()).isEqualTo(2);
    }
  }
}
