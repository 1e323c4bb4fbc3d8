package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;

class RetriesTests {
  private static final int REFUSALS = 3;

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Retries.class);

  @BeforeEach
  void listens() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stopsListening() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  @Test
  void saysOnOneLineWhyItTriesAgain() {
    assertThat(triedUntilTheDiskHasRoom()).isEqualTo(REFUSALS + 1);

    assertThat(log.list)
        .hasSize(REFUSALS)
        .allSatisfy(it -> assertThat(it.getThrowableProxy()).isNull())
        .extracting(ILoggingEvent::getFormattedMessage)
        .allSatisfy(it ->
            assertThat(it)
                .startsWith("commit of run 'a': ")
                .contains("No space left on device Hint: Check free disk space.")
                .doesNotContain("\n"));
  }

  @Test
  void showsTheStackAtDebug() {
    logger.setLevel(Level.DEBUG);

    assertThat(triedUntilTheDiskHasRoom()).isEqualTo(REFUSALS + 1);

    assertThat(log.list)
        .filteredOn(it -> it.getLevel() == Level.DEBUG)
        .hasSize(REFUSALS)
        .allSatisfy(it -> assertThat(it.getThrowableProxy()).isNotNull());
  }

  private static int triedUntilTheDiskHasRoom() {
    var attempts = new AtomicInteger();
    return new Retries(Duration.ofMinutes(1))
        .run(
            () -> "commit of run 'a'",
            () -> {
              if (attempts.incrementAndGet() <= REFUSALS) {
                throw new DataAccessResourceFailureException(
                    "StatementCallback",
                    new SQLException(
                        "No space left on device\n  Hint: Check free disk space.", "53100"));
              }
              return attempts.get();
            });
  }
}
