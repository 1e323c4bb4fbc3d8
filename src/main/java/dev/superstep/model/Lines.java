package dev.superstep.model;

import dev.superstep.engine.Alarm;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The calls of a model that are under way, by a number that goes with the request as far as
/// [Wire]: no other thing goes with it through a client that hands it from thread to thread.
final class Lines {
  static final String HEADER = "X-Superstep-Line";

  private final AtomicLong count = new AtomicLong();
  private final Map<String, Line> open = new ConcurrentHashMap<>();
  private final Optional<Duration> timeout;

  /// @param timeout of a call from its request to the end of its answer; empty if its client sees
  ///   to it
  Lines(Optional<Duration> timeout) {
    this.timeout = timeout;
  }

  Line open() {
    var line = new Line(String.valueOf(count.incrementAndGet()), this);
    open.put(line.id(), line);
    return line;
  }

  /// Has a call end that is not over in time.
  Optional<Alarm> expire(Line line) {
    return timeout.map(it -> Alarm.in(it, line::expire));
  }

  /// Empty if nobody waits for that call any more.
  Optional<Line> find(String id) {
    return Optional.ofNullable(open.get(id));
  }

  void forget(Line line) {
    open.remove(line.id());
  }
}
