package dev.superstep.run;

/// Pauses runs for clients, and has them go on step by step. Each call is one transaction, or part
/// of the caller's.
public interface PauseService {

  /// Pauses a run with its descendants, at once if it has no driver, else behind the superstep in
  /// flight; idempotent. A resume has it go on.
  ///
  /// @throws dev.superstep.problem.ServiceException if the run has stopped otherwise, or ended
  void pause(String run);

  /// Has a run that has stopped, and asks nothing, go on for one superstep, behind which it is
  /// paused. Its descendants go on as with a resume.
  void step(String run);
}
