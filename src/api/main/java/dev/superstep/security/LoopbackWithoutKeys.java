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
/// the management port, which requires none, unless an address is configured. Refuses to start in
/// production without keys, or with some that can be guessed.
class LoopbackWithoutKeys implements EnvironmentPostProcessor, Ordered {

  private static final String LOOPBACK = "127.0.0.1";
  private static final String MANAGEMENT = "management.server.address";
  private static final String PLACEHOLDER = "change-me";
  private static final int KEY_CHARS_MIN = 32;
  private static final String MAKE = "'openssl rand -hex 32' makes one.";

  private final Log log;

  LoopbackWithoutKeys(DeferredLogFactory logs) {
    this.log = logs.getLog(LoopbackWithoutKeys.class);
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    var keys = keys(environment);
    if (environment.acceptsProfiles(Profiles.of("prod"))) {
      requireForProduction(keys);
    }
    boolean ownPort = ManagementPortType.get(environment) == ManagementPortType.DIFFERENT;
    if (ownPort) {
      environment
          .getPropertySources()
          .addLast(new MapPropertySource("loopbackUnlessTold", Map.of(MANAGEMENT, LOOPBACK)));
    }
    if (keys.isEmpty()) {
      refuseTokens(environment);
      open(environment, ownPort);
    }
  }

  private static void requireForProduction(List<String> keys) {
    if (keys.isEmpty()) {
      throw new ApiKeysException(
          "The profile prod does not start without API keys, and none are configured.",
          "Set SUPERSTEP_API_KEYS to one or more keys, separated by commas. " + MAKE);
    }
    if (keys.stream().anyMatch(it -> it.startsWith(PLACEHOLDER))) {
      throw new ApiKeysException(
          "SUPERSTEP_API_KEYS still holds the placeholder of .env.example, which everybody knows.",
          "Replace it by a key of your own. " + MAKE);
    }
    if (keys.stream().anyMatch(it -> it.length() < KEY_CHARS_MIN)) {
      throw new ApiKeysException(
          "SUPERSTEP_API_KEYS holds a key of fewer than %d characters, which the profile prod refuses, as it could be guessed."
              .formatted(KEY_CHARS_MIN),
          "Replace it by a longer one. " + MAKE);
    }
  }

  /// Without keys all callers are accepted, so that tokens would only seem to protect.
  private static void refuseTokens(ConfigurableEnvironment environment) {
    var more =
        Binder.get(environment)
            .bind("superstep.auth.issuers", Bindable.mapOf(String.class, Object.class))
            .orElse(Map.of());
    if (!environment.getProperty("superstep.auth.jwt.issuer", "").isEmpty() || !more.isEmpty()) {
      throw new ApiKeysException(
          "An issuer is set in superstep.auth, but there are no API keys.",
          "Set SUPERSTEP_API_KEYS to a key for the operator. " + MAKE);
    }
  }

  private void open(ConfigurableEnvironment environment, boolean ownPort) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("server.address", LOOPBACK);
    // Forwarded headers are refused, not trusted.
    settings.put("server.forward-headers-strategy", "none");
    if (ownPort) {
      settings.put(MANAGEMENT, LOOPBACK);
    }
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("loopbackWithoutKeys", settings));
    log.info(
        "There are no API keys, so calls are accepted from this machine only."
            + " Set SUPERSTEP_API_KEYS to serve others.");
  }

  private static List<String> keys(ConfigurableEnvironment environment) {
    List<String> keys =
        Binder.get(environment)
            .bind("superstep.api-keys", Bindable.listOf(String.class))
            .orElse(List.of());
    return new SecurityProperties(keys).apiKeys();
  }

  /// Runs after the configuration files have been read.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
