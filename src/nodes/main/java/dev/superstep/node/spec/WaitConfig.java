package dev.superstep.node.spec;

import java.util.Map;

/// Sleeps without holding a thread, over restarts: for a time, until a moment, or until an event.
public interface WaitConfig {
  /// Waits for an event that is sent to POST /v1/events.
  WaitConfig event(Map<String, ?> value);

  /// How long. A duration: 500ms, 30s, 5m, 1h, 2d or ISO 8601; may be a template.
  @Key("for")
  WaitConfig forTime(String value);

  /// With `event`: the node result, as templates over `response`, the event. Default: the event
  /// goes to the channel named like the node; {} drops it.
  WaitConfig result(Map<String, ?> value);

  /// With `event`: the node result, as templates over `response`, the event. Default: the event
  /// goes to the channel named like the node; {} drops it.
  WaitConfig result(String value);

  /// The moment, RFC 3339 such as 2026-01-31T08:00:00Z; may be a template.
  WaitConfig until(String value);
}
