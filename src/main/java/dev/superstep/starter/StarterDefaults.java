package dev.superstep.starter;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;

/// Keeps Spring Boot from configuring, in the application, what only Superstep brings along: the
/// document of the API, and Flyway in an application that has no migrations. A setting of the
/// application about either has it decide itself.
final class StarterDefaults implements EnvironmentPostProcessor, Ordered {

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    Map<String, Object> defaults = new HashMap<>();
    if (!has(environment, "springdoc.")) {
      defaults.put("springdoc.api-docs.enabled", false);
      defaults.put("springdoc.swagger-ui.enabled", false);
    }
    var loader = application.getClassLoader();
    if (!has(environment, "spring.flyway.") && loader.getResource("db/migration") == null) {
      defaults.put("spring.flyway.enabled", false);
    }
    environment.getPropertySources().addLast(new MapPropertySource("superstepStarter", defaults));
  }

  private static boolean has(ConfigurableEnvironment environment, String prefix) {
    return environment.getPropertySources().stream()
        .filter(EnumerablePropertySource.class::isInstance)
        .map(EnumerablePropertySource.class::cast)
        .anyMatch(it -> has(it, prefix));
  }

  private static boolean has(EnumerablePropertySource<?> source, String prefix) {
    for (var name : source.getPropertyNames()) {
      // Variables are written SPRING_FLYWAY_ENABLED.
      if (name.toLowerCase(Locale.ROOT).replace('_', '.').startsWith(prefix)) {
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
