package dev.superstep.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/// What the server's own settings tell Spring Boot of its log lines.
class LogLinesTests {
  @Test
  void haveNoRoomForTraceIdsUnlessThereAreAny() {
    assertThat(room(Map.of())).isFalse();
    assertThat(room(Map.of("superstep.tracing.enabled", "false"))).isFalse();
    assertThat(room(Map.of("superstep.tracing.enabled", "true"))).isTrue();
  }

  private static Boolean room(Map<String, Object> settings) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
    ConfigDataEnvironmentPostProcessor.applyTo(environment);
    return environment.getRequiredProperty(
        LoggingSystem.EXPECT_CORRELATION_ID_PROPERTY, Boolean.class);
  }
}
