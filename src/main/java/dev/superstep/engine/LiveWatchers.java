package dev.superstep.engine;

import dev.superstep.state.ObjectValue;

/// The watchers of a run, for one attempt while it is wanted.
final class LiveWatchers implements Watchers {
  private final RunObserver observer;
  private final String run;
  private final TaskKey task;
  private volatile boolean closed;

  LiveWatchers(Frame frame, TaskKey task) {
    this.observer = frame.outside().observer();
    this.run = frame.run().id();
    this.task = task;
  }

  @Override
  public boolean any() {
    return !closed && observer.watches(run);
  }

  @Override
  public void tell(String type, ObjectValue data) {
    if (any()) {
      observer.observe(run, type, task, data);
    }
  }

  /// What the attempt says from now on would be taken for words of the next one.
  void close() {
    closed = true;
  }
}
