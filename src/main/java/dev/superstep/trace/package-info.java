/// Traces by OpenTelemetry, by way of Micrometer Tracing, for those who switch them on.
@NullMarked
package dev.superstep.trace;

import org.jspecify.annotations.NullMarked;
