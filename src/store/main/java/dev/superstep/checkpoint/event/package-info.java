/// Events from outside, and which runs have taken them. Begin in [IncomingEvents].
@NullMarked
package dev.superstep.checkpoint.event;

import org.jspecify.annotations.NullMarked;
