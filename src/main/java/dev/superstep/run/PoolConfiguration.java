package dev.superstep.run;

import dev.superstep.engine.Foreground;
import dev.superstep.engine.TaskPool;
import dev.superstep.engine.VirtualTaskPool;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// How much is worked on at a time.
@Configuration(proxyBeanMethods = false)
class PoolConfiguration {
  /// A thousand runs are through sooner. If not, something holds up those inside.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Bean
  Foreground foreground(RunSettings settings) {
    return new Foreground(settings.runs().foreground(), PATIENCE);
  }

  @Bean
  TaskPool taskPool(RunSettings settings, Foreground foreground) {
    return new VirtualTaskPool(settings.tasks().max(), foreground);
  }
}
