/// Events from outside for runs that wait for them. Begin in [EventService].
@NullMarked
package dev.superstep.run.event;

import org.jspecify.annotations.NullMarked;
