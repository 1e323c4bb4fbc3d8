/// Traces by OpenTelemetry, by way of Micrometer Tracing, disabled by default.
@NullMarked
package dev.superstep.trace;

import org.jspecify.annotations.NullMarked;
