package dev.superstep.starter;

import java.util.Locale;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;

/// Keeps Spring Boot from configuring Flyway in an application that has no migrations: Superstep
/// has brought it along. An application with a setting of Flyway decides for itself.
final class StarterDefaults implements EnvironmentPostProcessor, Ordered {

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    var loader = application.getClassLoader();
    if (!hasSettings(environment) && loader.getResource("db/migration") == null) {
      environment
          .getPropertySources()
          .addLast(
              new MapPropertySource("superstepStarter", Map.of("spring.flyway.enabled", false)));
    }
  }

  private static boolean hasSettings(ConfigurableEnvironment environment) {
    return environment.getPropertySources().stream()
        .filter(EnumerablePropertySource.class::isInstance)
        .map(EnumerablePropertySource.class::cast)
        .anyMatch(StarterDefaults::hasSettings);
  }

  private static boolean hasSettings(EnumerablePropertySource<?> source) {
    for (var name : source.getPropertyNames()) {
      // Variables are written SPRING_FLYWAY_ENABLED.
      if (name.toLowerCase(Locale.ROOT).replace('_', '.').startsWith("spring.flyway.")) {
        return true;
      }
    }
    return false;
  }

  /// After the files have been read.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
