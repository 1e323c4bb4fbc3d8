package dev.superstep.run.store;

import dev.superstep.problem.NamedSettings;
import dev.superstep.problem.Setting;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How long ended runs are kept. Nothing is purged unless a time is set.
///
/// @param succeeded how long succeeded runs are kept; null: for ever
/// @param failed how long failed runs are kept, which can be resumed until then; null: for ever
/// @param cancelled how long cancelled runs are kept; null: for ever
/// @param threads how long a thread in which nothing happens is kept; null: for ever
/// @param history how long a succeeded or cancelled run keeps more than its last checkpoints; null:
///   as long as the run is kept
/// @param checkpoints the last checkpoints that are kept of such a run then
/// @param sharePercent part of the time in which one connection of one replica may purge
/// @param graphs what differs for single graphs, by name
@ConfigurationProperties("superstep.retention")
record RetentionSettings(
    @Nullable Duration succeeded,
    @Nullable Duration failed,
    @Nullable Duration cancelled,
    @Nullable Duration threads,
    @Nullable Duration history,
    @DefaultValue("1") int checkpoints,
    @DefaultValue("50") int sharePercent,
    @DefaultValue Map<String, OfGraph> graphs) {
  private static final String PREFIX = "superstep.retention";
  private static final int CHECKPOINTS_MAX = 100_000;
  private static final Duration MIN = Duration.ofSeconds(1);
  private static final Duration MAX = Duration.ofDays(36_500);

  RetentionSettings {
    graphs = Map.copyOf(graphs);
    new Setting(PREFIX + ".share-percent").within(1, 100, sharePercent);
    new OfGraph(succeeded, failed, cancelled, threads, history, checkpoints).check(PREFIX);
    graphs.forEach((graph, own) -> own.check(PREFIX + ".graphs." + graph));
  }

  /// The policy for the runs of a graph. Runs of inline graphs follow the graph that has them.
  RetentionPolicy of(String graph) {
    int inline = graph.indexOf('#');
    var own =
        NamedSettings.find(graphs, inline < 0 ? graph : graph.substring(0, inline))
            .orElse(OfGraph.NONE);
    return new RetentionPolicy(
        either(own.succeeded, succeeded),
        either(own.failed, failed),
        either(own.cancelled, cancelled),
        either(own.threads, threads),
        either(own.history, history),
        own.checkpoints == null ? checkpoints : own.checkpoints);
  }

  private static Optional<Duration> either(@Nullable Duration own, @Nullable Duration general) {
    return Optional.ofNullable(own).or(() -> Optional.ofNullable(general));
  }

  /// How long a thread without runs is kept; empty: for ever.
  Optional<Duration> idle() {
    return Optional.ofNullable(threads);
  }

  /// Whether anything is ever purged.
  boolean enabled() {
    return threads != null
        || Stream.concat(
                Stream.of(new OfGraph(succeeded, failed, cancelled, threads, history, null)),
                graphs.values().stream())
            .anyMatch(OfGraph::purges);
  }

  /// What differs for one graph; null: as for all graphs.
  record OfGraph(
      @Nullable Duration succeeded,
      @Nullable Duration failed,
      @Nullable Duration cancelled,
      @Nullable Duration threads,
      @Nullable Duration history,
      @Nullable Integer checkpoints) {
    static final OfGraph NONE = new OfGraph(null, null, null, null, null, null);

    private void check(String prefix) {
      check(prefix + ".succeeded", succeeded);
      check(prefix + ".failed", failed);
      check(prefix + ".cancelled", cancelled);
      check(prefix + ".threads", threads);
      check(prefix + ".history", history);
      if (checkpoints != null) {
        new Setting(prefix + ".checkpoints").within(1, CHECKPOINTS_MAX, checkpoints);
      }
    }

    private static void check(String property, @Nullable Duration time) {
      if (time != null) {
        new Setting(property).within(MIN, MAX, time);
      }
    }

    private boolean purges() {
      return succeeded != null || failed != null || cancelled != null || history != null;
    }
  }
}
