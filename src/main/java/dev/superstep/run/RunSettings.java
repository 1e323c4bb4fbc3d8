package dev.superstep.run;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How much a replica takes on, and how it looks after what it drives.
///
/// @param runs what one replica drives
/// @param tasks what one replica executes
/// @param takeoversMax takeovers in succession, with nothing committed in between, after which a
///   run fails as `poison_run`
/// @param newsPoll how often to look for answers and cancels that came in at other replicas
/// @param watchPoll how often to look, for clients who wait, at a run that others tell about; at
///   most 300 ms if they cannot
@ConfigurationProperties("superstep")
record RunSettings(
    @DefaultValue Runs runs,
    @DefaultValue Tasks tasks,
    @DefaultValue("5") int takeoversMax,
    @DefaultValue("500ms") Duration newsPoll,
    @DefaultValue("2s") Duration watchPoll) {

  /// @param max runs driven by this replica at a time
  record Runs(@DefaultValue("1000") int max) {}

  /// @param max node calls of this replica at a time
  record Tasks(@DefaultValue("512") int max) {}
}
