/// What starts runs by itself. Begin with [RunSchedules] and [ScheduledStarts].
@NullMarked
package dev.superstep.run.trigger;

import org.jspecify.annotations.NullMarked;
