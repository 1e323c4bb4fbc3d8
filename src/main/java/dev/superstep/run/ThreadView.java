package dev.superstep.run;

import dev.superstep.state.ObjectValue;

/// A conversation: its newest run, and the state the next one would start from.
public record ThreadView(String id, RunSummary lastRun, ObjectValue state) {}
