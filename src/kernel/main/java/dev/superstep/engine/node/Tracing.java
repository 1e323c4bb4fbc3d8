package dev.superstep.engine.node;

import dev.superstep.engine.run.RunHeader;

/// Traces what runs do and how long it takes.
@FunctionalInterface
public interface Tracing {
  /// Records nothing, and passes on the client's trace context.
  Tracing NONE =
      run -> run.traceparent().isPresent() ? new Span.Passing(run.traceparent()) : Span.NONE;

  /// Begins the span of driving a claimed run.
  Span run(RunHeader run);
}
