/// Serves streams of runs ([dev.superstep.run.stream]) as server-sent events.
@NullMarked
package dev.superstep.run.web.stream;

import org.jspecify.annotations.NullMarked;
