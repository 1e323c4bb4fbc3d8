/// Runs, tasks, checkpoints, threads and questions as they are shown. Records without behaviour.
/// Begin with [dev.superstep.run.view.RunView].
@NullMarked
package dev.superstep.run.view;

import org.jspecify.annotations.NullMarked;
