package dev.superstep.run;

/// Starts the run that comes next in a thread, once the run before it has left.
interface ThreadSuccessor {
  void startNextOf(String thread);
}
