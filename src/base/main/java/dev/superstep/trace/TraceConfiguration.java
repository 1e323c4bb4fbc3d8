package dev.superstep.trace;

import dev.superstep.engine.node.Tracing;
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
        found, settings.content() ? RecordedSpan.Content.TOLD : RecordedSpan.Content.WITHHELD);
  }

  @Bean
  Traceparents traceparents(ObjectProvider<Tracer> tracer) {
    return new Traceparents(Optional.ofNullable(tracer.getIfAvailable()));
  }
}
