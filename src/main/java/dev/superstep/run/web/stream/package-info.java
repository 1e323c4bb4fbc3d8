/// Server-sent events of runs: replayed from the database, followed live, bounded. Begin with
/// [dev.superstep.run.web.stream.EventStreams].
@NullMarked
package dev.superstep.run.web.stream;

import org.jspecify.annotations.NullMarked;
