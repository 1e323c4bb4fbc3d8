package dev.superstep.trace;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the trace context of requests (W3C trace context).
public final class Traceparents {
  static final Pattern FORM =
      Pattern.compile("00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})");

  private static final int SAMPLED = 1;
  private final Optional<Tracer> tracer;

  Traceparents(Optional<Tracer> tracer) {
    this.tracer = tracer;
  }

  /// The parent of the spans that the current request causes.
  ///
  /// @param header as received; an invalid one counts as absent, as W3C requires
  public Optional<String> of(@Nullable String header) {
    var span = tracer.map(Tracer::currentSpan);
    return span.isPresent()
        ? Optional.of(write(span.get().context()))
        : Optional.ofNullable(header).filter(it -> FORM.matcher(it).matches());
  }

  static String write(TraceContext context) {
    return "00-%s-%s-%s"
        .formatted(
            context.traceId(),
            context.spanId(),
            Boolean.TRUE.equals(context.sampled()) ? "01" : "00");
  }

  /// @return empty if it is invalid
  static Optional<TraceContext> read(String traceparent, Tracer tracer) {
    var matcher = FORM.matcher(traceparent);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    boolean sampled = (Integer.parseInt(matcher.group(3), 16) & SAMPLED) != 0;
    return Optional.of(
        tracer
            .traceContextBuilder()
            .traceId(matcher.group(1))
            .spanId(matcher.group(2))
            .sampled(sampled)
            .build());
  }
}
