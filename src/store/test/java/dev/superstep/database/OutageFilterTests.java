package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.spi.FilterReply;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutageFilterTests {
  private final SQLException broken = new SQLException("the connection broke", "08006");
  private final SQLException full = new SQLException("no space left on device", "53100");
  private final OutageFilter filter = new OutageFilter(new OutageLog(() -> 0));
  private final Logger logger = new LoggerContext().getLogger("some.library");

  /// Of a logger whose level is INFO.
  private FilterReply reply(Object... arguments) {
    logger.setLevel(Level.INFO);
    return filter.decide(null, logger, Level.ERROR, "it failed", arguments, null);
  }

  @Test
  void leavesOutWhatABrokenConnectionCaused() {
    var wrapped = new IllegalStateException("cannot read", broken);

    assertThat(reply("a", wrapped)).isEqualTo(FilterReply.DENY);
    assertThat(reply("a", new LoggedFailure(wrapped))).isEqualTo(FilterReply.DENY);
  }

  @Test
  void keepsWhatADatabaseRefuses() {
    assertThat(reply("a", full)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(reply("a", new LoggedFailure(full))).isEqualTo(FilterReply.NEUTRAL);
    assertThat(reply("a", "text")).isEqualTo(FilterReply.NEUTRAL);
    assertThat(reply()).isEqualTo(FilterReply.NEUTRAL);
  }

  @Test
  void leavesNothingOutOfLoggersAtDebug() {
    logger.setLevel(Level.DEBUG);

    assertThat(filter.decide(null, logger, Level.ERROR, "it failed", new Object[] {broken}, null))
        .isEqualTo(FilterReply.NEUTRAL);
  }

  /// After an outage longer than a lease, another replica has handled what the scheduler looks at.
  @ParameterizedTest
  @CsvSource({
    "Failed while handling dead execution {}. Will be tried again later., ",
    "Unable to complete, Expected one execution to be updated but updated 0",
    "Unable to complete, Expected one execution to be removed but removed 0"
  })
  void leavesOutThatAnotherReplicaWasFaster(String format, @Nullable String message) {
    var failure = new IllegalStateException(message);

    assertThat(scheduled(format, failure)).isEqualTo(FilterReply.DENY);
    assertThat(filter.decide(null, logger, Level.ERROR, format, null, failure))
        .as("of another library")
        .isEqualTo(FilterReply.NEUTRAL);
  }

  @Test
  void keepsWhatElseTheSchedulerSays() {
    assertThat(scheduled("Unhandled exception", new IllegalStateException("a bug")))
        .isEqualTo(FilterReply.NEUTRAL);
  }

  private FilterReply scheduled(String format, Throwable failure) {
    var scheduler = new LoggerContext().getLogger("com.github.kagkarlsson.scheduler.Executor");
    scheduler.setLevel(Level.INFO);
    logger.setLevel(Level.INFO);
    return filter.decide(null, scheduler, Level.ERROR, format, null, failure);
  }
}
