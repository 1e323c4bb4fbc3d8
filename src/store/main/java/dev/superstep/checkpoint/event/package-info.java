/// The stored events of runs. Begin with [dev.superstep.checkpoint.event.EventLog].
@NullMarked
package dev.superstep.checkpoint.event;

import org.jspecify.annotations.NullMarked;
