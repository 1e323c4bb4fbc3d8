package dev.superstep.run.check;

import dev.superstep.definition.ServerLimits;
import dev.superstep.definition.form.Durations;
import dev.superstep.engine.run.Deferral;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.problem.Setting;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The limits of this server for every run.
///
/// @param supersteps number of node supersteps
/// @param timeout wall time of a run, interrupted and failed time not counted
/// @param dispatches number of dispatches
/// @param concurrencyMax tasks of one run at a time
/// @param stateMax canonical size of the state, the prompt context included
/// @param resultMax canonical size of one task's result
/// @param inputMax canonical size of a run's input, and of its prompt context
/// @param metadata metadata of a run
/// @param deferral how far a driver goes on, where nobody can notice, before its commits are on
///   disk
@ConfigurationProperties("superstep.limits")
public record LimitSettings(
    @DefaultValue Supersteps supersteps,
    @DefaultValue Timeout timeout,
    @DefaultValue Dispatches dispatches,
    @DefaultValue("256") int concurrencyMax,
    @DefaultValue("16MB") DataSize stateMax,
    @DefaultValue("4MB") DataSize resultMax,
    @DefaultValue("4MB") DataSize inputMax,
    @DefaultValue Metadata metadata,
    @DefaultValue Deferred deferral) {
  private static final Duration TIME_MIN = Duration.ofMillis(1);

  public LimitSettings {
    new Setting("superstep.limits.concurrency-max").within(1, 1_000_000, concurrencyMax);
    new Setting("superstep.limits.state-max").size(stateMax);
    new Setting("superstep.limits.result-max").size(resultMax);
    new Setting("superstep.limits.input-max").size(inputMax);
  }

  /// @param standard for a run whose graph and request set none
  /// @param max the most a graph or run may ask for
  record Supersteps(@DefaultValue("100") int standard, @DefaultValue("100000") int max) {
    Supersteps {
      new Setting("superstep.limits.supersteps.max").within(1, Integer.MAX_VALUE - 1, max);
      new Setting("superstep.limits.supersteps.standard").within(1, max, standard);
    }
  }

  /// @param standard for a run whose graph and request set none
  /// @param max the most a run may ask for
  record Timeout(@DefaultValue("7d") Duration standard, @DefaultValue("30d") Duration max) {
    Timeout {
      new Setting("superstep.limits.timeout.max").within(TIME_MIN, Durations.MAX, max);
      new Setting("superstep.limits.timeout.standard").within(TIME_MIN, max, standard);
    }
  }

  /// @param superstepMax in one superstep
  /// @param runMax in one run
  record Dispatches(@DefaultValue("10000") int superstepMax, @DefaultValue("100000") int runMax) {
    Dispatches {
      new Setting("superstep.limits.dispatches.superstep-max")
          .within(1, Integer.MAX_VALUE, superstepMax);
      new Setting("superstep.limits.dispatches.run-max").within(1, Integer.MAX_VALUE, runMax);
    }
  }

  /// @param entriesMax entries of one run
  /// @param charsMax length of a key or value
  record Metadata(@DefaultValue("50") int entriesMax, @DefaultValue("500") int charsMax) {
    Metadata {
      new Setting("superstep.limits.metadata.entries-max").within(0, 1_000_000, entriesMax);
      new Setting("superstep.limits.metadata.chars-max").within(1, 1_000_000, charsMax);
    }
  }

  /// @param timeMax since the first of these commits
  /// @param superstepsMax number of these commits; 0: a driver waits for each
  /// @param bytesMax canonical size of what their tasks have returned
  record Deferred(
      @DefaultValue("20ms") Duration timeMax,
      @DefaultValue("64") int superstepsMax,
      @DefaultValue("256KB") DataSize bytesMax) {
    Deferred {
      new Setting("superstep.limits.deferral.time-max")
          .within(Duration.ZERO, Duration.ofSeconds(1), timeMax);
      new Setting("superstep.limits.deferral.supersteps-max").within(0, 10_000, superstepsMax);
      new Setting("superstep.limits.deferral.bytes-max").size(bytesMax);
    }
  }

  public ServerLimits forGraphs() {
    return new ServerLimits(supersteps.max(), concurrencyMax, dispatches.runMax(), timeout.max());
  }

  public EngineLimits forEngine() {
    return new EngineLimits(
        supersteps.standard(),
        concurrencyMax,
        dispatches.superstepMax(),
        dispatches.runMax(),
        stateMax.toBytes(),
        resultMax.toBytes(),
        timeout.standard(),
        new Deferral(deferral.timeMax(), deferral.superstepsMax(), deferral.bytesMax().toBytes()));
  }
}
