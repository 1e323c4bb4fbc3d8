package dev.superstep.trace;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Traces of what runs do.
///
/// @param enabled whether there are any; where they go is said by
///   `management.opentelemetry.tracing.export.otlp.endpoint`
/// @param content whether they show prompts, answers, arguments and results of tools
@ConfigurationProperties("superstep.tracing")
record TraceSettings(
    @DefaultValue("false") boolean enabled, @DefaultValue("false") boolean content) {}
