package dev.superstep.engine.node;

import dev.superstep.engine.run.RunHeader;

/// Shows what runs do and how long it takes.
@FunctionalInterface
public interface Tracing {
  /// Nothing is traced; what the client said of its trace is passed on.
  Tracing NONE =
      run -> run.traceparent().isPresent() ? new Span.Passing(run.traceparent()) : Span.NONE;

  /// Begins the time in which a claimed run is driven.
  Span run(RunHeader run);
}
