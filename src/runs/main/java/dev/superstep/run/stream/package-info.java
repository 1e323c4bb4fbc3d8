/// Streams of a run's events, whatever their format: replayed from the database, followed live,
/// bounded. The APIs bring the format ([dev.superstep.run.stream.EventSink]). Begin with
/// [dev.superstep.run.stream.EventStreams].
@NullMarked
package dev.superstep.run.stream;

import org.jspecify.annotations.NullMarked;
