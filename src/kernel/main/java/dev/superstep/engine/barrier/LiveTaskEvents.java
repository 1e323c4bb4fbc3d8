package dev.superstep.engine.barrier;

import dev.superstep.engine.node.LiveEventSink;
import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.scope.SuperstepContext;
import dev.superstep.engine.task.Ids;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// The live event sink of one attempt; it publishes until the attempt is abandoned.
final class LiveTaskEvents implements LiveEventSink {
  private final RunObserver observer;
  private final String run;
  private final TaskKey task;
  private final int attempt;
  private volatile boolean closed;
  private LiveText text = LiveText.NONE;
  private int texts;

  /// @param attempt from 1
  LiveTaskEvents(SuperstepContext superstepContext, TaskKey task, int attempt) {
    this.observer = superstepContext.environment().observer();
    this.run = superstepContext.run().id();
    this.task = task;
    this.attempt = attempt;
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

  /// Of the texts that a task begins, the last one is stored. Which one that is is not known as it
  /// begins, and the stored id must not depend on it: so the first one has that id.
  @Override
  public synchronized LiveText begin(Optional<String> messageId) {
    if (closed) {
      return LiveText.NONE;
    }
    texts++;
    boolean first = attempt == 1 && texts == 1;
    var id = first ? messageId : messageId.map(it -> Ids.otherText(it, attempt, texts));
    text = observer.begin(run, task, attempt, id);
    return text;
  }

  /// Stops publishing: later events would be attributed to the next attempt. What the attempt has
  /// written is void.
  synchronized void close() {
    closed = true;
    text.close();
  }
}
