package dev.superstep.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What differs from the defaults of the service: bounds that would otherwise be what is measured.
final class ServiceSettings {
  private ServiceSettings() {}

  /// 1,000 tasks of one run sleep at a time in W5; 1,000 runs are driven at a time.
  static Map<String, Object> asMap() {
    return Map.of(
        "superstep.tasks.max", "2000",
        "superstep.limits.concurrency-max", "2000",
        "superstep.runs.max", "2000",
        "logging.level.root", "warn");
  }

  static String describe() {
    return new TreeMap<>(asMap())
        .entrySet().stream()
            .map(it -> it.getKey() + "=" + it.getValue())
            .collect(Collectors.joining(", "));
  }
}
