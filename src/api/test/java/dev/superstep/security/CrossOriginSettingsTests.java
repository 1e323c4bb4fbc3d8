package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.problem.InvalidSettingException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrossOriginSettingsTests {

  @ParameterizedTest
  @ValueSource(
      strings = {"*", "https://console.example", "http://localhost:5173", "http://[::1]:3000"})
  void takesOrigins(String origin) {
    assertThat(new CrossOriginSettings(List.of(" " + origin, "")).origins())
        .containsExactly(origin);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "console.example",
        "https://console.example/",
        "https://Console.example",
        "https://*.example",
        "null",
        "file://x"
      })
  void refusesWhatNoBrowserSends(String origin) {
    assertThatThrownBy(() -> new CrossOriginSettings(List.of(origin)))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("superstep.cors.origins");
  }

  @Test
  void boundsTheirNumber() {
    var many = Collections.nCopies(CrossOriginSettings.ORIGINS_MAX + 1, "https://a.example");

    assertThatThrownBy(() -> new CrossOriginSettings(many)).hasMessageContaining("at most 100");
  }
}
