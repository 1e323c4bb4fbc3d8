package dev.superstep.engine;

import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.node.Slicing;
import dev.superstep.engine.node.TaskPool;
import dev.superstep.engine.node.Tracing;
import dev.superstep.engine.node.VirtualTaskPool;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.LeaseWatch;
import java.time.Duration;
import java.time.InstantSource;

/// Ports of an engine on its own: without other replicas, traces and children, with leases that
/// never end.
public record TestPorts(
    CheckpointStore store,
    TaskPool pool,
    InstantSource clock,
    RunObserver observer,
    Slicing slicing,
    LeaseWatch leases) {

  /// A pool in which all attempts may use the CPU at once.
  public static TaskPool pool(int tasksMax) {
    return new VirtualTaskPool(tasksMax, new WorkPermits(tasksMax, Duration.ZERO));
  }

  public static TestPorts of(CheckpointStore store, TaskPool pool, InstantSource clock) {
    return new TestPorts(store, pool, clock, RunObserver.NONE, Slicing.NONE, LeaseWatch.ALWAYS);
  }

  public TestPorts observer(RunObserver other) {
    return new TestPorts(store, pool, clock, other, slicing, leases);
  }

  public TestPorts slicing(Slicing other) {
    return new TestPorts(store, pool, clock, observer, other, leases);
  }

  public TestPorts leases(LeaseWatch other) {
    return new TestPorts(store, pool, clock, observer, slicing, other);
  }

  public Ports ports() {
    return new Ports(
        store, pool, clock, () -> 0.5, observer, slicing, Tracing.NONE, leases, ChildRuns.NONE);
  }
}
