/// Runs, tasks, checkpoints, threads and interrupts as clients see them. Records without behaviour.
/// Begin with [dev.superstep.run.view.RunView].
@NullMarked
package dev.superstep.run.view;

import org.jspecify.annotations.NullMarked;
