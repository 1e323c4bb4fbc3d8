package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.ServerLimits;
import dev.superstep.definition.form.Durations;
import dev.superstep.definition.form.Item;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Location;
import dev.superstep.problem.DurationText;
import java.time.Duration;
import java.util.Optional;

/// Reads the limits of a graph. A limit above the server's gets a warning and counts as the
/// server's: runs are subject to, and show, that limit.
final class LimitReader {
  private final ServerLimits server;

  LimitReader(ServerLimits server) {
    this.server = server;
  }

  Limits read(Item limits) {
    return new Limits(
        count("max_supersteps", server.superstepsMax(), limits),
        count("max_concurrency", server.concurrencyMax(), limits),
        count("max_dispatches", server.dispatchesMax(), limits),
        limits.findInt("max_model_calls"),
        limits.findWhole("max_tokens"),
        timeout(limits));
  }

  private static Optional<Integer> count(String key, int max, Item limits) {
    return limits.findInt(key).map(it -> atMost(max, it, Integer.toString(max), limits.at(key)));
  }

  private Optional<Duration> timeout(Item limits) {
    var at = limits.at("timeout");
    var max = server.timeoutMax();
    var asked = Durations.find(limits, "timeout");
    if (asked.filter(Duration::isZero).isPresent()) {
      at.error(Codes.OUT_OF_RANGE, "a timeout must be more than nothing");
    }
    return asked.map(it -> atMost(max, it, DurationText.write(max), at));
  }

  private static <T extends Comparable<T>> T atMost(T max, T asked, String written, Location at) {
    if (asked.compareTo(max) <= 0) {
      return asked;
    }
    at.warn(
        Codes.ABOVE_SERVER_LIMIT,
        "is more than this server allows; its runs get %s".formatted(written));
    return max;
  }
}
