package dev.superstep.engine.node;

import dev.superstep.engine.run.Task;
import java.util.List;
import java.util.Optional;

/// A span of a trace. Its creator ends it. Setting attributes costs next to nothing unless it
/// [#isRecorded].
public interface Span {
  /// Tracing is disabled.
  Span NONE = Optional::empty;

  /// Tracing is disabled here, but callees may continue the client's trace.
  record Passing(Optional<String> traceparent) implements Span {}

  /// Whether the span covers a call to another service.
  enum Kind {
    INTERNAL,
    CLIENT
  }

  /// For calls that leave the service: W3C trace context.
  Optional<String> traceparent();

  /// Whether the span is exported. Otherwise, skip attributes that are costly to compute.
  default boolean isRecorded() {
    return false;
  }

  /// Whether prompts, answers, arguments and results may be recorded.
  default boolean takesContent() {
    return false;
  }

  /// Begins a superstep within this span of a run.
  default Span superstep(int number) {
    return this;
  }

  /// Begins an attempt of a task within this span of a superstep.
  default Span attempt(Task task, int number) {
    return this;
  }

  /// Begins a child span.
  default Span begin(String name, Kind kind) {
    return this;
  }

  default void setAttribute(String key, String value) {}

  default void setAttribute(String key, long value) {}

  default void setAttribute(String key, double value) {}

  default void setAttribute(String key, List<String> values) {}

  /// Marks the span as failed.
  ///
  /// @param code of the failure
  default void fail(String code) {}

  default void end() {}

  /// Makes this the current span of the calling thread, until the scope is closed.
  default SpanScope enter() {
    return SpanScope.NONE;
  }

  /// To be closed by the thread that entered.
  @FunctionalInterface
  interface SpanScope extends AutoCloseable {
    SpanScope NONE = () -> {};

    @Override
    void close();
  }
}
