package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.DeferredLogs;
import org.springframework.mock.env.MockEnvironment;

class LoopbackWithoutKeysTests {

  private final MockEnvironment environment =
      new MockEnvironment()
          .withProperty("server.port", "8080")
          .withProperty("server.address", "0.0.0.0")
          .withProperty("management.server.port", "8081");

  private void process() {
    new LoopbackWithoutKeys(new DeferredLogs())
        .postProcessEnvironment(environment, new SpringApplication());
  }

  @Test
  void bindsBothPortsToLoopbackWhateverIsConfigured() {
    environment.setProperty("management.server.address", "0.0.0.0");

    process();

    assertThat(environment.getProperty("server.address")).isEqualTo("127.0.0.1");
    assertThat(environment.getProperty("management.server.address")).isEqualTo("127.0.0.1");
  }

  @Test
  void leavesASharedManagementPortToTheServersAddress() {
    environment.setProperty("management.server.port", "8080");

    process();

    assertThat(environment.getProperty("server.address")).isEqualTo("127.0.0.1");
    assertThat(environment.getProperty("management.server.address")).isNull();
  }

  @Test
  void leavesTheAddressAloneWithKeys() {
    environment.setProperty("superstep.api-keys", "a,b");

    process();

    assertThat(environment.getProperty("server.address")).isEqualTo("0.0.0.0");
  }

  @Test
  void takesBlankKeysForNone() {
    environment.setProperty("superstep.api-keys", " , ");

    process();

    assertThat(environment.getProperty("server.address")).isEqualTo("127.0.0.1");
  }

  @Test
  void refusesToStartOpenInProduction() {
    environment.setActiveProfiles("prod");

    assertThatThrownBy(this::process).isInstanceOf(ApiKeysException.class);
  }

  @Test
  void refusesTokensWithoutKeys() {
    environment.setProperty("superstep.auth.jwt.issuer", "https://login.example");

    assertThatThrownBy(this::process).isInstanceOf(ApiKeysException.class);
  }

  @Test
  void startsInProductionWithKeys() {
    environment.setActiveProfiles("prod");
    environment.setProperty("superstep.api-keys[0]", "0123456789abcdef0123456789abcdef");

    process();

    assertThat(environment.getProperty("server.address")).isEqualTo("0.0.0.0");
  }

  /// What .env.example holds or held, and what can be guessed.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "change-me-to-a-long-random-key",
        "change-me-to-a-long-random-key-0123456789",
        "secret",
        "0123456789abcdef0123456789abcde",
        "0123456789abcdef0123456789abcdef,short"
      })
  void refusesKeysInProductionThatCanBeGuessed(String keys) {
    environment.setActiveProfiles("prod");
    environment.setProperty("superstep.api-keys", keys);

    var failure = catchThrowable(this::process);

    var analysis = Objects.requireNonNull(new ApiKeysFailureAnalyzer().analyze(failure));
    assertThat(analysis.getDescription()).contains("SUPERSTEP_API_KEYS").doesNotContain(keys);
    assertThat(analysis.getAction()).contains("openssl rand -hex 32");
  }

  @Test
  void bindsTheManagementPortToLoopbackUnlessTold() {
    environment.setProperty("superstep.api-keys", "a");

    process();

    assertThat(environment.getProperty("management.server.address")).isEqualTo("127.0.0.1");
  }

  @Test
  void bindsTheManagementPortWhereItIsTold() {
    environment.setProperty("superstep.api-keys", "a");
    environment.setProperty("management.server.address", "0.0.0.0");

    process();

    assertThat(environment.getProperty("management.server.address")).isEqualTo("0.0.0.0");
  }
}
