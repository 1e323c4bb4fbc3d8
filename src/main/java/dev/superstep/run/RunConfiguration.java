package dev.superstep.run;

import dev.superstep.definition.ServerLimits;
import dev.superstep.engine.CheckpointStore;
import dev.superstep.engine.EngineLimits;
import dev.superstep.engine.LeaseWatch;
import dev.superstep.engine.Ports;
import dev.superstep.engine.Slicing;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.TaskPool;
import dev.superstep.engine.Tracing;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.Duty;
import dev.superstep.schedule.Replica;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

/// Puts the engine together.
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
      CheckpointStore store, DatabaseClock clock, Listeners listeners, TaskPool pool, Ways ways) {
    return new Ports(
        store,
        pool,
        clock,
        () -> ThreadLocalRandom.current().nextDouble(),
        listeners,
        ways.slicing(),
        ways.tracing(),
        () -> term(ways.replica()));
  }

  /// A lease holds while this process has the name under which it was taken, and the database has
  /// confirmed that name within the lease.
  private static LeaseWatch.Term term(Replica replica) {
    var owner = replica.id();
    return () -> {
      var name = replica.id();
      return name.isPresent() && (owner.isEmpty() || owner.equals(name));
    };
  }

  /// Where what a driver does shows elsewhere, and what it has its leases from.
  @Component
  record Ways(Slicing slicing, Tracing tracing, Replica replica) {}

  @Bean
  SuperstepLoop superstepLoop(Ports ports, EngineLimits limits) {
    return new SuperstepLoop(ports, limits);
  }

  /// A run must not lie idle for more than three leases (I7). What reconciles also schedules: it is
  /// looked up late, for the scheduler is made with its duties.
  @Bean
  Duty reconcileRuns(
      ObjectProvider<Reconciler> reconciler, @Value("${superstep.lease:6s}") Duration lease) {
    return new Duty("reconcile-runs", lease, () -> reconciler.getObject().reconcile());
  }
}
