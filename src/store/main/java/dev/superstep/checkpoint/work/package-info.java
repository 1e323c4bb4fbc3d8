/// The queue of tasks that workers execute (E52): rows under leases.
@NullMarked
package dev.superstep.checkpoint.work;

import org.jspecify.annotations.NullMarked;
