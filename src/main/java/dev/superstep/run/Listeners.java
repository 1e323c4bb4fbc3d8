package dev.superstep.run;

import dev.superstep.engine.Event;
import dev.superstep.engine.RunObserver;
import dev.superstep.engine.TaskKey;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.ObjectValue;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/// Hands live events of runs driven here to whoever listens here. Without listeners an event costs
/// one look-up.
@Component
class Listeners implements RunObserver {
  private final ConcurrentHashMap<String, List<Consumer<EventView>>> byRun =
      new ConcurrentHashMap<>();
  private final InstantSource clock;

  Listeners(DatabaseClock clock) {
    this.clock = clock;
  }

  @Override
  public void observe(String run, String type, TaskKey task, ObjectValue data) {
    var listeners = byRun.get(run);
    if (listeners != null) {
      var event = Event.of(type, task, data);
      var view = new EventView(Optional.empty(), run, clock.instant(), event);
      listeners.forEach(it -> it.accept(view));
    }
  }

  RunWatch.Subscription add(String run, Consumer<EventView> listener) {
    byRun.compute(
        run,
        (_, listeners) -> {
          var all = listeners == null ? new CopyOnWriteArrayList<Consumer<EventView>>() : listeners;
          all.add(listener);
          return all;
        });
    return () -> remove(run, listener);
  }

  private void remove(String run, Consumer<EventView> listener) {
    byRun.computeIfPresent(
        run,
        (_, listeners) -> {
          listeners.remove(listener);
          return listeners.isEmpty() ? null : listeners;
        });
  }
}
