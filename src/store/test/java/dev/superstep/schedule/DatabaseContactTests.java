package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DatabaseContactTests {
  private static final Duration LEASE = Duration.ofSeconds(6);

  private final AtomicLong nanos = new AtomicLong(-5);
  private final DatabaseContact contact = new DatabaseContact(Duration.ofSeconds(3), nanos::get);

  @Test
  void trustsNobodysSilenceBeforeItHasSpokenToTheDatabase() {
    assertThat(contact.steadyFor(LEASE)).isFalse();
  }

  @Test
  void trustsSilenceWhileItsOwnContactIsSteady() {
    contact.made();
    pass(2);
    contact.made();

    assertThat(contact.steadyFor(LEASE)).isTrue();
  }

  @Test
  void robsNobodyForOneLeaseAfterAnOutage() {
    contact.made();
    pass(30);
    assertThat(contact.steadyFor(LEASE)).isFalse();

    contact.made();
    speakFor(5);
    assertThat(contact.steadyFor(LEASE)).isFalse();

    speakFor(2);
    assertThat(contact.steadyFor(LEASE)).isTrue();
  }

  @Test
  void knowsWhenItWasLastConfirmed() {
    assertThat(contact.within(LEASE)).isFalse();
    contact.made();
    pass(6);
    assertThat(contact.within(LEASE)).isTrue();
    pass(1);
    assertThat(contact.within(LEASE)).isFalse();
  }

  private void speakFor(int seconds) {
    for (int i = 0; i < seconds; i++) {
      pass(1);
      contact.made();
    }
  }

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
