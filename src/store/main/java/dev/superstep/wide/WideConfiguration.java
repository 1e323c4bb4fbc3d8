package dev.superstep.wide;

import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.node.Slicing;
import dev.superstep.engine.node.TaskPool;
import dev.superstep.engine.node.Tracing;
import dev.superstep.engine.run.LeaseWatch;
import dev.superstep.schedule.DatabaseClock;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Binds the settings of wide supersteps.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WideSettings.class)
class WideConfiguration {
  /// Qualifies the ports of slices.
  static final String SLICES = "slices";

  /// As for the driver of a run, but a slice is not cut again.
  @Bean(defaultCandidate = false)
  @Qualifier(SLICES)
  Ports slicePorts(
      CheckpointStore store,
      TaskPool pool,
      DatabaseClock clock,
      RunObserver observer,
      Tracing tracing,
      LeaseWatch leases,
      ChildRuns children) {
    return new Ports(
        store,
        pool,
        clock,
        () -> ThreadLocalRandom.current().nextDouble(),
        observer,
        Slicing.NONE,
        tracing,
        leases,
        children);
  }
}
