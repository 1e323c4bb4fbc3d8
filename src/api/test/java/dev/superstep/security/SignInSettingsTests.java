package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.problem.InvalidSettingException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignInSettingsTests {
  private static final Duration HOUR = Duration.ofHours(1);

  private static SignInSettings settings(String secret, String url, Duration max) {
    return new SignInSettings("one", secret, "", url, "", List.of(), HOUR, max);
  }

  @ParameterizedTest
  @CsvSource({
    "https://superstep.example, https://superstep.example, true",
    "https://Superstep.example:443/, https://superstep.example, true",
    "https://superstep.example:8443/, https://superstep.example:8443, true",
    "http://localhost:8080, http://localhost:8080, false",
    "http://[::1]:80, http://[::1], false"
  })
  void knowsTheOriginOfThePages(String url, String origin, boolean isSecure) {
    var settings = settings("env:SECRET", url, HOUR).checked();
    assertThat(settings.origin()).isEqualTo(origin);
    assertThat(settings.isSecure()).isEqualTo(isSecure);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "superstep.example",
        "ftp://superstep.example",
        "https://",
        "https://me@superstep.example",
        "https://superstep.example?a",
        "https://superstep.example/#a",
        "https://superstep.example/console",
        "https://super step.example"
      })
  void refusesWhatIsNoAddressOfPages(String url) {
    assertThatThrownBy(() -> settings("env:SECRET", url, HOUR).checked())
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("sign-in.url");
  }

  @Test
  void refusesASecretThatIsWrittenDownAndSessionsWithoutEnd() {
    assertThatThrownBy(() -> settings("of everybody", "http://localhost", HOUR).checked())
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("client-secret")
        .hasMessageNotContaining("everybody");
    assertThatThrownBy(() -> settings("env:A", "http://localhost", Duration.ofDays(31)).checked())
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("sign-in.max");
  }
}
