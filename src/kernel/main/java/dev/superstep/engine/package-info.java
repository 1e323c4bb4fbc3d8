/// The engine: [SuperstepLoop] drives a claimed run. It plans tasks from pending activations
/// ([Planner]), executes them up to the barrier ([Barrier]), folds their changes and routes on
/// ([SuperstepReducer], [Router]), and commits ([Commits]). JDK only, like all packages below it:
/// `run`, `checkpoint`, `node`.
@NullMarked
package dev.superstep.engine;

import org.jspecify.annotations.NullMarked;
