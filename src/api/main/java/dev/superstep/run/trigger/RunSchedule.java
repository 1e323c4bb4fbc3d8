package dev.superstep.run.trigger;

import dev.superstep.definition.RunTiming;
import dev.superstep.security.ActingCallers.LastingCaller;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Runs that are started at the times of a cron expression.
///
/// @param trigger its name in the definition of the graph; empty: it was made by a call
/// @param caller for whom the runs start
/// @param endsAt no run starts after that
/// @param nextAt the next time of its expression that nothing was decided on; empty: there is none
public record RunSchedule(
    String id,
    String graph,
    Optional<String> trigger,
    RunTiming timing,
    StartRequest request,
    LastingCaller caller,
    boolean paused,
    Optional<Instant> endsAt,
    ChangeTimes written,
    Optional<Instant> nextAt) {

  /// When it was made, and changed last.
  public record ChangeTimes(Instant createdAt, Instant changedAt) {}

  /// A request to start a run.
  ///
  /// @param form in which API it is written: names a [StartForm]
  /// @param json the request
  public record StartRequest(String form, String json) {}

  /// When a run starts for a planned time: later by a part of the jitter that is always the same
  /// for this time.
  Instant due(Instant planned) {
    long jitter = timing.jitter().toMillis();
    long part = jitter == 0 ? 0 : Math.floorMod(mixed(id.hashCode(), planned), jitter);
    return planned.plus(Duration.ofMillis(part));
  }

  private static long mixed(int id, Instant planned) {
    long bits = (id * 0x9E3779B97F4A7C15L) ^ (planned.toEpochMilli() * 0xC2B2AE3D27D4EB4FL);
    bits ^= bits >>> 29;
    bits *= 0xBF58476D1CE4E5B9L;
    return bits ^ bits >>> 32;
  }

  /// The first time of its expression after `after`.
  Optional<Instant> next(Instant after) {
    return timing.times().next(after).filter(it -> !it.isAfter(endsAt.orElse(Instant.MAX)));
  }

  /// Whether its times are those of the other.
  boolean isTimedAs(RunSchedule other) {
    return timing.times().equals(other.timing.times())
        && paused == other.paused
        && endsAt.equals(other.endsAt);
  }

  public RunSchedule withRequest(String otherGraph, StartRequest other) {
    return new RunSchedule(
        id, otherGraph, trigger, timing, other, caller, paused, endsAt, written, nextAt);
  }

  RunSchedule withCaller(LastingCaller other) {
    return new RunSchedule(
        id, graph, trigger, timing, request, other, paused, endsAt, written, nextAt);
  }

  public RunSchedule withTiming(RunTiming other, Optional<Instant> end) {
    return new RunSchedule(
        id, graph, trigger, other, request, caller, paused, end, written, nextAt);
  }

  public RunSchedule withPaused(boolean pause) {
    return new RunSchedule(
        id, graph, trigger, timing, request, caller, pause, endsAt, written, nextAt);
  }

  /// The same, which goes on behind `now` unless it is paused.
  RunSchedule replanned(Instant now) {
    return new RunSchedule(
        id,
        graph,
        trigger,
        timing,
        request,
        caller,
        paused,
        endsAt,
        written,
        paused ? Optional.empty() : next(now));
  }
}
