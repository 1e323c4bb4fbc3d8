package dev.superstep.run.start;

import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.ResumeRun;

/// Resumes runs that have stopped, in the caller's transaction.
interface Resumption {

  /// @return number of the last event before what the run does from now on
  long resume(ResumeRun request, CheckedAnswers checked);
}
