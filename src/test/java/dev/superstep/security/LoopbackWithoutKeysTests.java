package dev.superstep.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
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

    assertThatThrownBy(this::process).isInstanceOf(MissingApiKeysException.class);
  }

  @Test
  void startsInProductionWithKeys() {
    environment.setActiveProfiles("prod");
    environment.setProperty("superstep.api-keys[0]", "a");

    process();

    assertThat(environment.getProperty("server.address")).isEqualTo("0.0.0.0");
  }
}
