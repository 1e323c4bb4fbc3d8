package dev.superstep.trace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/// Disables all of Spring Boot's tracing unless it is enabled: what is absent costs nothing.
final class TracingSwitch implements AutoConfigurationImportFilter, EnvironmentAware {
  private Environment environment = new StandardEnvironment();

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  @Override
  public boolean[] match(
      @Nullable String[] autoConfigurations, AutoConfigurationMetadata metadata) {
    boolean on = environment.getProperty("superstep.tracing.enabled", Boolean.class, false);
    var wanted = new boolean[autoConfigurations.length];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = on || !isTracing(Objects.requireNonNullElse(autoConfigurations[i], ""));
    }
    return wanted;
  }

  private static boolean isTracing(String name) {
    return name.startsWith("org.springframework.boot.micrometer.tracing.")
        || name.startsWith("org.springframework.boot.opentelemetry.");
  }
}
