/// The engine's entry: [dev.superstep.engine.SuperstepLoop] drives a claimed run, and a few classes
/// prepare what API calls change in one. JDK only, like all packages below it. Begin with
/// `SuperstepLoop`, then read the packages from the ground up: `task`, `run`, `budget`,
/// `checkpoint`, `node`, `port`, `routing`, `settle`, `barrier`, `drive`.
@NullMarked
package dev.superstep.engine;

import org.jspecify.annotations.NullMarked;
