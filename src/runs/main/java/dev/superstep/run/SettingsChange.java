package dev.superstep.run;

import dev.superstep.graph.Breakpoints;
import java.util.Optional;
import java.util.Set;

/// Settings that a call gives to a run that goes on, or to a fork: those that are given replace the
/// run's, the others stay. The breakpoints of the graph hold in any case.
///
/// @param interruptBefore nodes; empty: those of the run
/// @param interruptAfter nodes; empty: those of the run
public record SettingsChange(
    Optional<Set<String>> interruptBefore, Optional<Set<String>> interruptAfter) {
  public static final SettingsChange NONE = new SettingsChange(Optional.empty(), Optional.empty());

  public boolean isEmpty() {
    return equals(NONE);
  }

  public Breakpoints over(Breakpoints own) {
    return new Breakpoints(
        interruptBefore.orElse(own.before()), interruptAfter.orElse(own.after()));
  }
}
