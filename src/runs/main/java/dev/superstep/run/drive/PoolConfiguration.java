package dev.superstep.run.drive;

import dev.superstep.engine.node.TaskPool;
import dev.superstep.engine.node.VirtualTaskPool;
import dev.superstep.engine.node.WorkPermits;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Sizes the pools of permits and task slots.
@Configuration(proxyBeanMethods = false)
class PoolConfiguration {
  /// A thousand runs are through sooner. If not, something holds up those inside.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Bean
  WorkPermits foreground(RunSettings settings) {
    return new WorkPermits(settings.runs().foreground(), PATIENCE);
  }

  @Bean
  TaskPool taskPool(RunSettings settings, WorkPermits workPermits) {
    var pool = new VirtualTaskPool(settings.tasks().max(), workPermits);
    return (turn, attempt) -> pool.start(turn, LogContext.carried(attempt));
  }
}
