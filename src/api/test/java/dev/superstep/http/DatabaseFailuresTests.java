package dev.superstep.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.http.FailureMapping.DatabaseFailures;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.orm.jpa.JpaSystemException;

/// api.md, errors: 503 while the database is away; 500 is a bug.
class DatabaseFailuresTests {

  /// What Hibernate makes of a connection that broke within a transaction.
  @Test
  void recognizesARollbackOnABrokenConnection() {
    var closed = new SQLException("Connection is closed");
    var failure = new JpaSystemException(new IllegalStateException("Unable to rollback", closed));

    assertThat(DatabaseFailures.isAway(failure)).isTrue();
  }

  @Test
  void recognizesAServerThatIsShutDown() {
    var failure = new IllegalStateException(new SQLException("terminating connection", "57P01"));

    assertThat(DatabaseFailures.isAway(failure)).isTrue();
  }

  @Test
  void recognizesAServerThatRefusesToWrite() {
    assertThat(DatabaseFailures.isAway(new SQLException("no space left on device", "53100")))
        .isTrue();
    assertThat(DatabaseFailures.isAway(new SQLException("read-only transaction", "25006")))
        .isTrue();
  }

  @Test
  void doesNotTakeABugForAnOutage() {
    var duplicate = new SQLException("duplicate key", "23505");

    assertThat(DatabaseFailures.isAway(new DataIntegrityViolationException("no", duplicate)))
        .isFalse();
    assertThat(DatabaseFailures.isAway(new IllegalStateException("a bug"))).isFalse();
  }
}
