package dev.superstep.agent;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the service of agent tests has traced.
final class Traces {
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();

  SpanProcessor processor() {
    return SimpleSpanProcessor.create(spans);
  }

  /// The spans of a run that have ended, oldest first.
  List<SpanData> of(String run) {
    var all = spans.getFinishedSpanItems();
    var roots =
        all.stream()
            .filter(it -> run.equals(attribute(it, "superstep.run.id")))
            .map(SpanData::getTraceId)
            .toList();
    return all.stream().filter(it -> roots.contains(it.getTraceId())).toList();
  }

  String everything() {
    return spans.getFinishedSpanItems().toString();
  }

  static @Nullable String attribute(SpanData span, String key) {
    return span.getAttributes().asMap().entrySet().stream()
        .filter(it -> it.getKey().getKey().equals(key))
        .map(it -> Objects.toString(it.getValue()))
        .findFirst()
        .orElse(null);
  }

  static List<String> keys(SpanData span) {
    return span.getAttributes().asMap().keySet().stream().map(AttributeKey::getKey).toList();
  }
}
