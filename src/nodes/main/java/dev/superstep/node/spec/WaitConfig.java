package dev.superstep.node.spec;

/// Sleeps without holding a thread, over restarts: for a time, or until a moment.
public interface WaitConfig {
  /// How long. A duration: 500ms, 30s, 5m, 1h, 2d or ISO 8601; may be a template.
  @Key("for")
  WaitConfig forTime(String value);

  /// The moment, RFC 3339 such as 2026-01-31T08:00:00Z; may be a template.
  WaitConfig until(String value);
}
