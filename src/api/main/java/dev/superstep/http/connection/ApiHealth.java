package dev.superstep.http.connection;

import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Part of readiness, as `api`, and of liveness, as `apiStuck`: down while the threads of the API
/// do not get to work.
@Configuration(proxyBeanMethods = false)
class ApiHealth {
  /// Readiness is down within five seconds.
  static final Duration READY = Duration.ofSeconds(4);

  /// Liveness within thirty: only a new process helps.
  static final Duration ALIVE = Duration.ofSeconds(28);

  @Bean
  HealthIndicator apiHealthIndicator(ApiPulse pulse) {
    return () -> health(pulse, READY);
  }

  @Bean
  HealthIndicator apiStuckHealthIndicator(ApiPulse pulse) {
    return () -> health(pulse, ALIVE);
  }

  private static Health health(ApiPulse pulse, Duration time) {
    return pulse.isStuck(time)
        ? Health.down()
            .withDetail("api", "no thread has got to work for %d s".formatted(time.toSeconds()))
            .build()
        : Health.up().build();
  }
}
