package dev.superstep.starter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;

/// The settings of Superstep within an application: those of the application whose names begin with
/// `superstep.`, over those that the service has by default. None of the application's others.
final class ApplicationSettings {
  private static final String PREFIX = "superstep.";
  private static final String VARIABLE = "SUPERSTEP_";
  private static final String DEFAULTS = "dev/superstep/starter/application.yaml";

  private ApplicationSettings() {}

  /// @param fixed that nobody changes
  static ConfigurableEnvironment of(
      ConfigurableEnvironment application, Map<String, Object> fixed) {
    var environment = given(application, fixed);
    try {
      new YamlPropertySourceLoader()
          .load("service", new ClassPathResource(DEFAULTS))
          .forEach(environment.getPropertySources()::addLast);
    } catch (IOException e) {
      throw new UncheckedIOException("the jar of the starter lacks " + DEFAULTS, e);
    }
    return environment;
  }

  /// Without the defaults.
  static ConfigurableEnvironment given(
      ConfigurableEnvironment application, Map<String, Object> fixed) {
    var environment = new OnlyGiven();
    environment.setActiveProfiles(application.getActiveProfiles());
    var sources = environment.getPropertySources();
    sources.addLast(new MapPropertySource("embedded", fixed));
    application
        .getPropertySources()
        .forEach(it -> {
          if (it instanceof SystemEnvironmentPropertySource variables) {
            sources.addLast(variables(variables, application));
          } else if (it instanceof EnumerablePropertySource<?> source) {
            sources.addLast(
                new MapPropertySource(source.getName(), properties(source, application)));
          }
        });
    return environment;
  }

  /// Placeholders are the application's, too.
  private static Map<String, Object> properties(
      EnumerablePropertySource<?> source, ConfigurableEnvironment application) {
    var kept = new HashMap<String, Object>();
    for (var name : source.getPropertyNames()) {
      if (name.startsWith(PREFIX)) {
        kept.put(name, resolved(source.getProperty(name), application));
      }
    }
    return kept;
  }

  private static SystemEnvironmentPropertySource variables(
      SystemEnvironmentPropertySource source, ConfigurableEnvironment application) {
    var kept = new HashMap<String, Object>();
    for (var name : source.getPropertyNames()) {
      if (name.toUpperCase(Locale.ROOT).startsWith(VARIABLE)) {
        kept.put(name, resolved(source.getProperty(name), application));
      }
    }
    return new SystemEnvironmentPropertySource(source.getName(), kept);
  }

  private static Object resolved(@Nullable Object value, ConfigurableEnvironment application) {
    return value == null ? "" : application.resolvePlaceholders(value.toString());
  }

  /// Neither system properties nor variables of the process.
  private static final class OnlyGiven extends StandardEnvironment {
    @Override
    protected void customizePropertySources(MutablePropertySources sources) {}
  }
}
