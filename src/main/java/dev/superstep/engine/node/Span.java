package dev.superstep.engine.node;

import dev.superstep.engine.task.Task;
import java.util.List;
import java.util.Optional;

/// Something that takes time, as a trace shows it. Whoever begins one ends it. What it is told
/// costs next to nothing unless it [#isRecorded].
public interface Span {
  /// Nobody traces, and nobody wants to be told of a trace.
  Span NONE = Optional::empty;

  /// Nobody traces here, but callees may go on with the trace of whoever asked for the run.
  record Passing(Optional<String> traceparent) implements Span {}

  /// Who is on the other side.
  enum Kind {
    INTERNAL,
    CLIENT
  }

  /// For calls that leave the service: W3C trace context.
  Optional<String> traceparent();

  /// Whether anybody will see it. What is costly to find out need not be told otherwise.
  default boolean isRecorded() {
    return false;
  }

  /// Whether prompts, answers, arguments and results may be told.
  default boolean takesContent() {
    return false;
  }

  /// Begins a superstep of the run that this is.
  default Span superstep(int number) {
    return this;
  }

  /// Begins an attempt of a task of the superstep that this is.
  default Span attempt(Task task, int number) {
    return this;
  }

  /// Begins something within this.
  default Span begin(String name, Kind kind) {
    return this;
  }

  default void setAttribute(String key, String value) {}

  default void setAttribute(String key, long value) {}

  default void setAttribute(String key, double value) {}

  default void setAttribute(String key, List<String> values) {}

  /// It came to nothing.
  ///
  /// @param code of the failure
  default void fail(String code) {}

  default void end() {}

  /// Makes it the one that the calling thread is in, until the scope is closed.
  default Scope enter() {
    return Scope.NONE;
  }

  /// To be closed by the thread that entered.
  @FunctionalInterface
  interface Scope extends AutoCloseable {
    Scope NONE = () -> {};

    @Override
    void close();
  }
}
