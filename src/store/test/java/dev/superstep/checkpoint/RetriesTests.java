package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// durability.md, rule 14: the same write again.
class RetriesTests {
  private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(Retries.class);

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final List<Long> tries = new ArrayList<>();

  @BeforeEach
  void listen() {
    log.start();
    LOGGER.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    LOGGER.detachAppender(log);
    LOGGER.setLevel(null);
  }

  private String refusedUntil(int tries, String state) {
    this.tries.add(System.nanoTime());
    if (this.tries.size() < tries) {
      throw new IllegalStateException(
          new SQLException("could not extend file\n  Hint: check free space", state));
    }
    return "written";
  }

  private static Retries patientFor(Duration patience) {
    return new Retries(patience);
  }

  @Test
  void triesAgainWithGrowingPauses() {
    var result =
        patientFor(Duration.ofMinutes(1)).run(() -> "commit", () -> refusedUntil(6, "53100"));

    assertThat(result).isEqualTo("written");
    assertThat(tries).hasSize(6);
    for (int i = 1; i < tries.size(); i++) {
      assertThat(Duration.ofNanos(tries.get(i) - tries.get(i - 1)))
          .isGreaterThanOrEqualTo(Duration.ofMillis(10L << i));
    }
  }

  @Test
  void showsTheStackAtDebug() {
    LOGGER.setLevel(Level.DEBUG);

    patientFor(Duration.ofMinutes(1)).run(() -> "commit", () -> refusedUntil(4, "53100"));

    assertThat(log.list)
        .filteredOn(it -> it.getLevel() == Level.DEBUG)
        .hasSize(3)
        .allSatisfy(it -> assertThat(it.getThrowableProxy()).isNotNull());
  }

  /// A full disk refuses the writes of a thousand runs, for as long as it is full.
  @Test
  void saysOnceInAWhileThatWritesAreTriedAgain() {
    var retries = patientFor(Duration.ofMinutes(1));
    retries.run(() -> "commit", () -> refusedUntil(4, "53100"));
    tries.clear();
    retries.run(() -> "another commit", () -> refusedUntil(4, "53100"));

    assertThat(log.list).hasSize(1);
    assertThat(log.list.getFirst().getLevel()).isEqualTo(Level.WARN);
    assertThat(log.list.getFirst().getThrowableProxy()).isNull();
    assertThat(log.list.getFirst().getFormattedMessage())
        .contains(": commit: ")
        .contains("could not extend file Hint: check free space")
        .doesNotContain("\n");
  }

  @Test
  void repeatsNothingThatTheDatabaseHasAnswered() {
    var retries = patientFor(Duration.ofMinutes(1));

    assertThatThrownBy(() -> retries.run(() -> "commit", () -> refusedUntil(6, "23505")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(tries).hasSize(1);
  }

  /// The run is no longer driven here.
  @Test
  void endsWhenTheThreadIsInterrupted() {
    var retries = patientFor(Duration.ofMinutes(1));

    assertThatThrownBy(() -> retries.run(() -> "commit", this::refusedAndInterrupted))
        .isInstanceOf(StoreUnavailableException.class)
        .hasRootCauseInstanceOf(SQLException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(tries).hasSize(1);
  }

  private String refusedAndInterrupted() {
    Thread.currentThread().interrupt();
    return refusedUntil(100, "53100");
  }

  @Test
  void triesOnceWithoutPatience() {
    assertThatThrownBy(
            () -> patientFor(Duration.ZERO).run(() -> "commit", () -> refusedUntil(100, "53100")))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(tries).hasSize(1);
  }

  @Test
  void givesUpWhenItsPatienceIsAtAnEnd() {
    var retries = patientFor(Duration.ofMillis(500));

    assertThatThrownBy(() -> retries.run(() -> "commit", () -> refusedUntil(100, "53100")))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("commit");
    assertThat(tries).hasSizeBetween(2, 7);
  }
}
