/// Threads of runs: permits for work on the CPU, deadlines on one timer, the inbox of a driver.
/// Uses `port`. Begin with [dev.superstep.engine.pool.VirtualTaskPool].
@NullMarked
package dev.superstep.engine.pool;

import org.jspecify.annotations.NullMarked;
