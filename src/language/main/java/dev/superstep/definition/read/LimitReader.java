package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.ServerLimits;
import dev.superstep.definition.form.Durations;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Location;
import dev.superstep.problem.DurationText;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;

/// Reads the limits of a graph. A limit above the server's gets a warning and counts as the
/// server's: runs are subject to, and show, that limit.
final class LimitReader {
  private final ServerLimits server;

  LimitReader(ServerLimits server) {
    this.server = server;
  }

  Limits read(ObjectValue limits, Location at) {
    return new Limits(
        count("max_supersteps", server.superstepsMax(), limits, at),
        count("max_concurrency", server.concurrencyMax(), limits, at),
        count("max_dispatches", server.dispatchesMax(), limits, at),
        limits.findInt("max_model_calls"),
        limits.findWhole("max_tokens"),
        timeout(limits, at.key("timeout")));
  }

  private static Optional<Integer> count(String key, int max, ObjectValue limits, Location at) {
    var asked = limits.findInt(key);
    if (asked.filter(it -> it > max).isPresent()) {
      warn(Integer.toString(max), at.key(key));
    }
    return asked.map(it -> Math.min(it, max));
  }

  private Optional<Duration> timeout(ObjectValue limits, Location at) {
    var max = server.timeoutMax();
    var asked = Durations.find(limits, "timeout");
    if (asked.filter(Duration::isZero).isPresent()) {
      at.error(Codes.OUT_OF_RANGE, "a timeout must be more than nothing");
    }
    if (asked.filter(it -> it.compareTo(max) > 0).isPresent()) {
      warn(DurationText.write(max), at);
    }
    return asked.map(it -> it.compareTo(max) > 0 ? max : it);
  }

  private static void warn(String max, Location at) {
    at.warn(
        Codes.ABOVE_SERVER_LIMIT,
        "is more than this server allows; its runs get %s".formatted(max));
  }
}
