package dev.superstep.langgraph.run;

import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.ForkRun;
import dev.superstep.run.ResumeRun;

/// What a call does, checked before its transaction.
sealed interface RunPlan {
  /// Begins a run with new input.
  record Start(CheckedStart start) implements RunPlan {}

  /// Begins a run from a checkpoint, with what is pending there.
  record Fork(ForkRun fork) implements RunPlan {}

  /// Goes on with the run that has stopped.
  ///
  /// @param checkpoint its last one
  record Resume(ResumeRun resume, CheckedAnswers answers, int checkpoint) implements RunPlan {}

  /// There is nothing to go on with: the run is as it is.
  record Nothing(String run) implements RunPlan {}
}
