package dev.superstep.run.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTests {
  private final Backoff backoff = new Backoff();

  @Test
  void waitsLongerEachTime() {
    var pauses = Stream.generate(() -> backoff.next("run")).limit(12).toList();

    assertThat(pauses)
        .startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4))
        .endsWith(Duration.ofMinutes(5))
        .isSorted();
    assertThat(backoff.last("run")).isEqualTo(Duration.ofMinutes(5));
    assertThat(backoff.next("another")).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void beginsAnewWhenTheRunHasCommitted() {
    backoff.next("run");
    backoff.next("run");

    backoff.end("run");

    assertThat(backoff.last("run")).isZero();
    assertThat(backoff.next("run")).isEqualTo(Duration.ofSeconds(1));
  }
}
