package dev.superstep.run.live;

import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.task.Task;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.run.view.EventView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// The subscribers of this process to one run, and the texts that tasks of the run write in this
/// process. Its lock puts a new subscriber between two pieces: what it gets of a text has neither
/// gaps nor repetitions.
final class LiveRun {
  private final List<Consumer<EventView>> subscribers = new CopyOnWriteArrayList<>();
  private final Map<TaskKey, KeptText> texts = new LinkedHashMap<>();

  boolean hasSubscribers() {
    return !subscribers.isEmpty();
  }

  synchronized boolean isEmpty() {
    return subscribers.isEmpty() && texts.isEmpty();
  }

  void hand(EventView event) {
    subscribers.forEach(it -> it.accept(event));
  }

  void remove(Consumer<EventView> subscriber) {
    subscribers.remove(subscriber);
  }

  void add(Consumer<EventView> subscriber) {
    subscribers.add(subscriber);
  }

  /// Lets somebody begin to listen.
  ///
  /// @param begin from here on every piece reaches them
  /// @param soFar receives the texts up to here
  synchronized void join(Runnable begin, BiConsumer<TaskKey, MessageDelta> soFar) {
    begin.run();
    texts.forEach((task, text) -> text.soFar().ifPresent(it -> soFar.accept(task, it)));
  }

  /// Begins the text of a task, in place of the one that it has begun before.
  synchronized void begin(TaskKey task, KeptText text) {
    var before = texts.put(task, text);
    if (before != null) {
      before.close();
    }
  }

  synchronized void append(KeptText text, String piece, Consumer<MessageDelta> published) {
    text.append(piece).ifPresent(published);
  }

  synchronized void end(TaskKey task, KeptText text) {
    text.close();
    texts.remove(task, text);
  }

  synchronized void end(List<Task> tasks) {
    for (var task : tasks) {
      var text = texts.remove(task.key());
      if (text != null) {
        text.close();
      }
    }
  }
}
