package dev.superstep.engine.barrier;

import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.scope.SuperstepContext;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.state.value.ObjectValue;

/// The live event sink of one attempt; it publishes until the attempt is abandoned.
final class LiveTaskEvents implements LiveEventSink {
  private final RunObserver observer;
  private final String run;
  private final TaskKey task;
  private volatile boolean closed;

  LiveTaskEvents(SuperstepContext superstepContext, TaskKey task) {
    this.observer = superstepContext.environment().observer();
    this.run = superstepContext.run().id();
    this.task = task;
  }

  @Override
  public boolean hasSubscribers() {
    return !closed && observer.watches(run);
  }

  @Override
  public void publish(String type, ObjectValue data) {
    if (hasSubscribers()) {
      observer.observe(run, type, task, data);
    }
  }

  /// Stops publishing: later events would be attributed to the next attempt.
  void close() {
    closed = true;
  }
}
