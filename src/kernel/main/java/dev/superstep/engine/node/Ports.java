package dev.superstep.engine.node;

import dev.superstep.engine.run.LeaseWatch;
import java.time.InstantSource;
import java.util.function.DoubleSupplier;

/// The interfaces that the engine needs from its environment.
///
/// @param clock for due times and time-outs; nothing of it enters the state
/// @param slicing for supersteps that are too wide for one replica
/// @param random in [0, 1), for the jitter of retries
/// @param leases decide when no task may be started
public record Ports(
    CheckpointStore store,
    TaskPool pool,
    InstantSource clock,
    DoubleSupplier random,
    RunObserver observer,
    Slicing slicing,
    Tracing tracing,
    LeaseWatch leases,
    ChildRuns children) {

  public Ports with(CheckpointStore other) {
    return new Ports(other, pool, clock, random, observer, slicing, tracing, leases, children);
  }
}
