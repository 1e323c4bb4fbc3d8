package dev.superstep.run.drive;

/// Starts the run that comes next in a thread, once the run before it has left.
public interface ThreadSuccessor {
  void startNextOf(String thread);
}
