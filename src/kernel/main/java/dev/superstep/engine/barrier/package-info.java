/// Runs the tasks of one superstep side by side and waits for them: attempts, retries, time-outs,
/// questions, child runs, cancellation. Each task is an [dev.superstep.engine.barrier.OpenTask];
/// begin with [dev.superstep.engine.barrier.Barrier].
@NullMarked
package dev.superstep.engine.barrier;

import org.jspecify.annotations.NullMarked;
