package dev.superstep.engine.run;

/// The right to write a run, until a replica claims it with a higher epoch.
public record Lease(String run, long epoch) {}
