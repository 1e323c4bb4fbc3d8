package dev.superstep.starter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class ApplicationSettingsTests {
  private final StandardEnvironment application = new StandardEnvironment();

  private void variables(Map<String, Object> variables) {
    application
        .getPropertySources()
        .replace(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
  }

  private void properties(Map<String, Object> properties) {
    application.getPropertySources().addLast(new MapPropertySource("file", properties));
  }

  @Test
  void takesOnlySettingsOfItsOwn() {
    variables(Map.of("SUPERSTEP_DRAIN", "5s", "SPRING_DATASOURCE_URL", "x", "HOST", "here"));
    properties(
        Map.of("superstep.grace", "${HOST}", "server.port", 1, "superstepping", 1, "spring.x", 1));

    var settings = ApplicationSettings.given(application, Map.of("spring.flyway.schemas", "own"));

    assertThat(settings.getProperty("superstep.drain")).isEqualTo("5s");
    assertThat(settings.getProperty("superstep.grace")).isEqualTo("here");
    assertThat(settings.getProperty("spring.flyway.schemas")).isEqualTo("own");
    for (var other : new String[] {"server.port", "spring.datasource.url", "spring.x", "HOST"}) {
      assertThat(settings.getProperty(other)).as(other).isNull();
    }
  }

  @Test
  void letsVariablesGoBeforeFiles() {
    variables(Map.of("SUPERSTEP_DRAIN", "5s"));
    properties(Map.of("superstep.drain", "1s"));

    assertThat(ApplicationSettings.given(application, Map.of()).getProperty("superstep.drain"))
        .isEqualTo("5s");
  }

  @Test
  void disablesFlywayInAnApplicationWithoutMigrations() {
    new StarterDefaults().postProcessEnvironment(application, new SpringApplication());

    assertThat(application.getProperty("spring.flyway.enabled")).isEqualTo("false");
  }

  @Test
  void leavesFlywayToAnApplicationThatSetsItUp() {
    variables(Map.of("SPRING_FLYWAY_LOCATIONS", "classpath:migrations"));

    new StarterDefaults().postProcessEnvironment(application, new SpringApplication());

    assertThat(application.getProperty("spring.flyway.enabled")).isNull();
  }
}
