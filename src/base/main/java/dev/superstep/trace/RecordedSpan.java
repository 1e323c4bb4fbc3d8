package dev.superstep.trace;

import dev.superstep.engine.node.Span;
import dev.superstep.engine.run.Task;
import io.micrometer.tracing.Tracer;
import java.util.List;
import java.util.Optional;

/// A span of Micrometer's, exported to wherever the operator has configured.
final class RecordedSpan implements Span {
  private final Tracer tracer;
  private final io.micrometer.tracing.Span span;
  private final SpanContent content;

  enum SpanContent {
    TOLD,
    WITHHELD
  }

  RecordedSpan(Tracer tracer, io.micrometer.tracing.Span span, SpanContent content) {
    this.tracer = tracer;
    this.span = span;
    this.content = content;
  }

  @Override
  public Optional<String> traceparent() {
    return Optional.of(Traceparents.write(span.context()));
  }

  @Override
  public boolean isRecorded() {
    return !span.isNoop();
  }

  @Override
  public boolean takesContent() {
    return content == SpanContent.TOLD && isRecorded();
  }

  @Override
  public Span superstep(int number) {
    var begun = begin("superstep " + number, Kind.INTERNAL);
    begun.setAttribute("superstep.number", number);
    return begun;
  }

  @Override
  public Span attempt(Task task, int number) {
    var key = task.key();
    var begun = begin("task " + key.node(), Kind.INTERNAL);
    begun.setAttribute("superstep.node", key.node().value());
    begun.setAttribute("superstep.node.type", task.node().type());
    begun.setAttribute("superstep.task.id", key.toString());
    begun.setAttribute("superstep.task.attempt", number);
    return begun;
  }

  @Override
  public Span begin(String name, Kind kind) {
    var builder = tracer.spanBuilder().setParent(span.context()).name(name);
    if (kind == Kind.CLIENT) {
      builder.kind(io.micrometer.tracing.Span.Kind.CLIENT);
    }
    return new RecordedSpan(tracer, builder.start(), content);
  }

  @Override
  public void setAttribute(String key, String value) {
    span.tag(key, value);
  }

  @Override
  public void setAttribute(String key, long value) {
    span.tag(key, value);
  }

  @Override
  public void setAttribute(String key, double value) {
    span.tag(key, value);
  }

  @Override
  public void setAttribute(String key, List<String> values) {
    span.tagOfStrings(key, values);
  }

  /// Messages of failures may quote confidential content; codes do not.
  @Override
  public void fail(String code) {
    span.tag("error.type", code);
    span.error(new FailedException(code));
  }

  @Override
  public void end() {
    span.end();
  }

  @Override
  public SpanScope enter() {
    var scope = tracer.withSpan(span);
    return scope::close;
  }

  /// Has nothing but a code: no message, no stack.
  private static final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailedException(String code) {
      super(code, null, false, false);
    }
  }
}
