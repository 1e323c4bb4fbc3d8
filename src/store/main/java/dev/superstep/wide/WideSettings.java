package dev.superstep.wide;

import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// When and how supersteps are spread over the replicas.
///
/// @param threshold tasks, pure ones not counted, from which a superstep is wide; 0: none is
/// @param replicasMin live replicas, this one included, from which slicing is worthwhile
/// @param slice how many tasks are cut into one
/// @param parallel slices of one superstep that a replica executes at a time
/// @param slicesMax slices that a replica executes at a time
/// @param poll how often to look for slices, and whether those that are executed here are wanted
@ConfigurationProperties("superstep.wide")
record WideSettings(
    @DefaultValue("256") int threshold,
    @DefaultValue("2") int replicasMin,
    @DefaultValue Slice slice,
    @DefaultValue("2") int parallel,
    @DefaultValue("64") int slicesMax,
    @DefaultValue("250ms") Duration poll) {

  WideSettings {
    new Setting("superstep.wide.threshold").within(0, Integer.MAX_VALUE, threshold);
    new Setting("superstep.wide.replicas-min").within(1, 1_000_000, replicasMin);
    new Setting("superstep.wide.parallel").within(1, 1_000_000, parallel);
    new Setting("superstep.wide.slices-max").within(1, 1_000_000, slicesMax);
    new Setting("superstep.wide.poll").within(Duration.ofMillis(1), Duration.ofHours(1), poll);
  }

  /// @param min tasks in one, if the superstep has that many
  /// @param max tasks in one
  record Slice(@DefaultValue("32") int min, @DefaultValue("256") int max) {
    Slice {
      new Setting("superstep.wide.slice.max").within(1, 1_000_000, max);
      new Setting("superstep.wide.slice.min").within(1, max, min);
    }
  }
}
