package dev.superstep.trace;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Settings of the traces of runs.
///
/// @param enabled whether runs are traced; the target is
///   `management.opentelemetry.tracing.export.otlp.endpoint`
/// @param content whether they show prompts, answers, arguments and results of tools
@ConfigurationProperties("superstep.tracing")
record TraceSettings(
    @DefaultValue("false") boolean enabled, @DefaultValue("false") boolean content) {}
