package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.WorkerTask;

/// A task that is to be queued for workers, in the write that records that its node waits for one
/// (E52): neither is ever there without the other.
///
/// @param number among those of this task, from 1
/// @param wakesBelow its success wakes the run when at most that many of its node are still out
public record WorkerStart(WorkerTask task, int number, int wakesBelow) {}
