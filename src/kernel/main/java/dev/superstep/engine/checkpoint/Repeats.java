package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.TaskError;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How often each of several retry policies has repeated a task, and since when its attempts go on.
/// That is kept with the side effects of the task, only where its node asks for it, until it is
/// done or begins anew (E31).
public final class Repeats {
  /// Reserved: no node records a side effect of that name.
  private static final String PART = "__repeats";

  private static final String SINCE = "since";
  private static final String COUNTS = "counts";

  private Repeats() {}

  public static ObjectValue started(ObjectValue parts, Instant now) {
    var kept = parts.objectOrEmpty(PART);
    return kept.has(SINCE) ? parts : parts.plus(PART, kept.plus(SINCE, now.toEpochMilli()));
  }

  public static Instant since(ObjectValue parts, Instant now) {
    return parts.objectOrEmpty(PART).get(SINCE) instanceof Value.Int(var since)
        ? Instant.ofEpochMilli(since)
        : now;
  }

  public static int count(ObjectValue parts, int policy) {
    var counts = parts.objectOrEmpty(PART).listOrEmpty(COUNTS);
    return policy < counts.size() && counts.get(policy) instanceof Value.Int(var count)
        ? Math.toIntExact(count)
        : 0;
  }

  public static ObjectValue counted(ObjectValue parts, int policy) {
    var kept = parts.objectOrEmpty(PART);
    var counts = kept.listOrEmpty(COUNTS);
    while (counts.size() <= policy) {
      counts = counts.plus(Value.of(0));
    }
    counts = counts.with(policy, Value.of(count(parts, policy) + 1));
    return parts.plus(PART, kept.plus(COUNTS, counts));
  }

  public static Instant earlier(Instant end, Optional<Instant> other) {
    return other.filter(it -> it.isBefore(end)).orElse(end);
  }

  /// The time for all attempts is over: none follows.
  public static TaskError timedOut(Duration total) {
    return TaskError.permanent(
            "node_timeout", "not done within %s, all attempts and pauses together".formatted(total))
        .with("kind", Value.of("total"));
  }

  public static ObjectValue removedFrom(ObjectValue parts) {
    return parts.minus(PART);
  }
}
