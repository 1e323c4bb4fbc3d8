package dev.superstep.run;

import dev.superstep.engine.Foreground;
import dev.superstep.engine.TaskPool;
import dev.superstep.engine.VirtualTaskPool;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// How much is worked on at a time.
@Configuration(proxyBeanMethods = false)
class PoolConfiguration {

  @Bean
  Foreground foreground(RunSettings settings) {
    return new Foreground(settings.runs().foreground());
  }

  @Bean
  TaskPool taskPool(RunSettings settings, Foreground foreground) {
    return new VirtualTaskPool(settings.tasks().max(), foreground);
  }
}
