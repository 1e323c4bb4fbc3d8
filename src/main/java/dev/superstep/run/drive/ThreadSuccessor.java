package dev.superstep.run.drive;

/// Starts the next run of a thread once the run before it has left.
public interface ThreadSuccessor {
  void startNextOf(String thread);
}
