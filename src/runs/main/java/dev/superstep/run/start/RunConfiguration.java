package dev.superstep.run.start;

import dev.superstep.definition.ServerLimits;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.node.Slicing;
import dev.superstep.engine.node.TaskPool;
import dev.superstep.engine.node.Tracing;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.LeaseWatch;
import dev.superstep.run.check.LimitSettings;
import dev.superstep.run.stream.LiveEventBus;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Ramp;
import dev.superstep.schedule.RecurringJob;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Wires the engine.
@Configuration(proxyBeanMethods = false)
class RunConfiguration {

  @Bean
  EngineLimits engineLimits(LimitSettings settings) {
    return settings.forEngine();
  }

  @Bean
  ServerLimits serverLimits(LimitSettings settings) {
    return settings.forGraphs();
  }

  @Bean
  Ports enginePorts(
      CheckpointStore store,
      DatabaseClock clock,
      LiveEventBus liveEventBus,
      TaskPool pool,
      Slicing slicing,
      Tracing tracing,
      LeaseWatch leases,
      ChildRuns children) {
    return new Ports(
        store,
        pool,
        clock,
        () -> ThreadLocalRandom.current().nextDouble(),
        liveEventBus,
        slicing,
        tracing,
        leases,
        children);
  }

  /// A lease is valid while this process has the name under which it was taken, and the database
  /// has confirmed that name within the lease.
  @Bean
  LeaseWatch leaseWatch(Replica replica, Ramp ramp) {
    return () -> new ReplicaTerm(replica, ramp, replica.id());
  }

  /// @param owner name of this process when the lease was taken
  private record ReplicaTerm(Replica replica, Ramp ramp, Optional<String> owner)
      implements LeaseWatch.Term {
    @Override
    public boolean holds() {
      var name = replica.id();
      return name.isPresent() && (owner.isEmpty() || owner.equals(name));
    }

    @Override
    public boolean admits() {
      return ramp.admits();
    }
  }

  @Bean
  SuperstepLoop superstepLoop(Ports ports, EngineLimits limits) {
    return new SuperstepLoop(ports, limits);
  }

  /// A run must not lie idle for more than three leases (I7).
  @Bean
  RecurringJob reconcileRuns(
      Reconciler reconciler, @Value("${superstep.lease:6s}") Duration lease) {
    return new RecurringJob("reconcile-runs", lease, reconciler::reconcile);
  }
}
