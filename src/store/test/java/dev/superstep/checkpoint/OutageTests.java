package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;

/// What is waited for, and what is not.
class OutageTests {

  /// durability.md, rule 14: disk full, no memory, statement cancelled, error of the disk, read
  /// only; besides connections, shut-downs, conflicts.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "53100", "53200", "57014", "58030", "25006", "53300", "57P01", "57P03", "08006", "40001",
        "40P01", "55P03"
      })
  void isARefusalThatGoesBy(String state) {
    var refusal = new IllegalStateException(new SQLException("no", state));

    assertThat(Outage.caused(refusal)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"23505", "22P05", "42P01", "42501", "54000", "P0001", "XX000"})
  void isAnAnswerToWhatWasAsked(String state) {
    var refusal = new DataIntegrityViolationException("no", new SQLException("no", state));

    assertThat(Outage.caused(refusal)).isFalse();
  }
}
