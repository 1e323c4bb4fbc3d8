package dev.superstep.trace;

import dev.superstep.engine.node.Span;
import dev.superstep.engine.node.Tracing;
import dev.superstep.engine.run.RunHeader;
import io.micrometer.tracing.Tracer;

/// Traces runs. The names of spans and attributes are those of OpenTelemetry's conventions for
/// generative AI 1.41; what these do not name begins with `superstep`.
final class RecordedTracing implements Tracing {
  private final Tracer tracer;
  private final RecordedSpan.Content content;

  RecordedTracing(Tracer tracer, RecordedSpan.Content content) {
    this.tracer = tracer;
    this.content = content;
  }

  @Override
  public Span run(RunHeader run) {
    var builder = tracer.spanBuilder().name("invoke_workflow " + run.graph());
    run.traceparent()
        .flatMap(it -> Traceparents.read(it, tracer))
        .ifPresentOrElse(builder::setParent, builder::setNoParent);
    var span = new RecordedSpan(tracer, builder.start(), content);
    span.setAttribute("gen_ai.operation.name", "invoke_workflow");
    span.setAttribute("gen_ai.workflow.name", run.graph());
    span.setAttribute("superstep.run.id", run.id());
    span.setAttribute("superstep.graph.version", run.version());
    return span;
  }
}
