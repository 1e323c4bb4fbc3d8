package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RampTests {
  private static final int CROWD = 1_000;

  private final AtomicLong nanos = new AtomicLong(-5);
  private final DatabaseContact contact = new DatabaseContact(Duration.ofSeconds(3), nanos::get);
  private final Ramp ramp = new Ramp(contact, nanos::get);

  private long begins() {
    return IntStream.range(0, CROWD).filter(_ -> ramp.admits()).count();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void outage() {
    pass(Duration.ofSeconds(30));
    contact.made();
  }

  @Test
  void isNoneBeforeAnOutage() {
    contact.made();

    assertThat(begins()).isEqualTo(CROWD);
  }

  @Test
  void letsTwiceAsManyBeginWithEachSecondAfterAnOutage() {
    contact.made();
    outage();

    assertThat(begins()).isEqualTo(Ramp.FIRST);
    assertThat(begins()).isZero();
    pass(Duration.ofSeconds(1));
    assertThat(begins()).isEqualTo(Ramp.FIRST);
    pass(Duration.ofSeconds(1));
    assertThat(begins()).isEqualTo(2 * Ramp.FIRST);
    pass(Ramp.LENGTH);
    assertThat(begins()).isEqualTo(CROWD);
  }

  @Test
  void beginsAnewWithEachOutage() {
    contact.made();
    outage();
    pass(Ramp.LENGTH);
    assertThat(begins()).isEqualTo(CROWD);

    outage();

    assertThat(begins()).isEqualTo(Ramp.FIRST);
  }

  @Test
  void beginsAnewWithAnotherHistory() {
    contact.made();

    contact.startAnew();

    assertThat(begins()).isEqualTo(Ramp.FIRST);
  }
}
