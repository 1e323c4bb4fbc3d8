/// What concerns the start of the service as a whole: the message when it is ready, and what it
/// need not do before.
@NullMarked
package dev.superstep.start;

import org.jspecify.annotations.NullMarked;
