package dev.superstep.trace;

import dev.superstep.engine.node.Span;
import dev.superstep.engine.node.Tracing;
import dev.superstep.engine.run.RunHeader;
import io.micrometer.tracing.Tracer;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Enables tracing of runs if there is a tracer: it is an optional bean.
@Configuration(proxyBeanMethods = false)
class TraceConfiguration {

  @Bean
  Tracing tracing(ObjectProvider<Tracer> tracer, TraceSettings settings) {
    var found = tracer.getIfAvailable();
    if (found == null) {
      return Tracing.NONE;
    }
    return new RecordedTracing(
        found,
        settings.content() ? RecordedSpan.SpanContent.TOLD : RecordedSpan.SpanContent.WITHHELD);
  }

  @Bean
  Traceparents traceparents(ObjectProvider<Tracer> tracer) {
    return new Traceparents(Optional.ofNullable(tracer.getIfAvailable()));
  }

  /// Traces runs. The names of spans and attributes are those of OpenTelemetry's conventions for
  /// generative AI 1.41; what these do not name begins with `superstep`.
  private static final class RecordedTracing implements Tracing {
    private final Tracer tracer;
    private final RecordedSpan.SpanContent content;

    RecordedTracing(Tracer tracer, RecordedSpan.SpanContent content) {
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
}
