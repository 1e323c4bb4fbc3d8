/// Traces by OpenTelemetry, by way of Micrometer Tracing, for those who switch them on. Begin with
/// [RecordedTracing].
@NullMarked
package dev.superstep.trace;

import org.jspecify.annotations.NullMarked;
