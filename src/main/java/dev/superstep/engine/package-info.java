/// The engine's door: [dev.superstep.engine.SuperstepLoop] drives a claimed run,
/// [dev.superstep.engine.SliceLoop] a slice of a wide superstep, and a few classes prepare what API
/// calls change in a run. JDK only, like all of its rooms. Begin with `SuperstepLoop`, then read
/// the rooms from the ground up: `task`, `run`, `budget`, `checkpoint`, `node`, `context`, `port`,
/// `program`, `scope`, `routing`, `settle`, `barrier`, `drive`.
@NullMarked
package dev.superstep.engine;

import org.jspecify.annotations.NullMarked;
