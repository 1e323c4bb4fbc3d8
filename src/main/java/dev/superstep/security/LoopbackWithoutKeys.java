package dev.superstep.security;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.Profiles;

/// Binds both ports to loopback while there are no API keys, whatever address is configured, and
/// refuses to start in production.
class LoopbackWithoutKeys implements EnvironmentPostProcessor, Ordered {

  private static final String LOOPBACK = "127.0.0.1";

  private final Log log;

  LoopbackWithoutKeys(DeferredLogFactory logs) {
    this.log = logs.getLog(LoopbackWithoutKeys.class);
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if (hasKeys(environment)) {
      return;
    }
    if (environment.acceptsProfiles(Profiles.of("prod"))) {
      throw new MissingApiKeysException();
    }
    Map<String, Object> addresses = new HashMap<>(Map.of("server.address", LOOPBACK));
    if (ManagementPortType.get(environment) == ManagementPortType.DIFFERENT) {
      addresses.put("management.server.address", LOOPBACK);
    }
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("loopbackWithoutKeys", addresses));
    log.info(
        "There are no API keys, so calls are accepted from this machine only."
            + " Set SUPERSTEP_API_KEYS to serve others.");
  }

  private static boolean hasKeys(ConfigurableEnvironment environment) {
    List<String> keys =
        Binder.get(environment)
            .bind("superstep.api-keys", Bindable.listOf(String.class))
            .orElse(List.of());
    return !new SecurityProperties(keys).apiKeys().isEmpty();
  }

  /// After the configuration files have been read.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
