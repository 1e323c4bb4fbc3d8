/// Streams of a run's events, whatever their format: replayed from the database, followed live
/// within and across replicas, bounded. The APIs bring the format ([EventSink]). Begin with
/// [EventStreams].
@NullMarked
package dev.superstep.run.stream;

import org.jspecify.annotations.NullMarked;
