package dev.superstep.run.live;

import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.run.RunWatch;
import dev.superstep.run.view.EventView;
import dev.superstep.schedule.replica.DatabaseClock;
import dev.superstep.state.value.ObjectValue;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/// Delivers live events to subscribers on this and other replicas. Without subscribers an event
/// costs two look-ups.
@Component
public class LiveEventBus implements RunObserver {
  private final ConcurrentHashMap<String, List<Consumer<EventView>>> byRun =
      new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final LiveEventRelay elsewhere;

  @Autowired
  LiveEventBus(DatabaseClock clock, LiveEventRelay elsewhere) {
    this((InstantSource) clock, elsewhere);
  }

  LiveEventBus(InstantSource clock, LiveEventRelay elsewhere) {
    this.clock = clock;
    this.elsewhere = elsewhere;
  }

  @Override
  public boolean watches(String run) {
    return byRun.containsKey(run) || elsewhere.watches(run);
  }

  @Override
  public void observe(String run, String type, TaskKey task, ObjectValue data) {
    if (watches(run)) {
      var event = Event.of(type, task, data);
      var view = new EventView(Optional.empty(), run, clock.instant(), event);
      hand(view);
      elsewhere.publish(view);
    }
  }

  /// Delivers an event to the subscribers of this replica.
  public void hand(EventView event) {
    byRun.getOrDefault(event.run(), List.of()).forEach(it -> it.accept(event));
  }

  /// Other replicas are notified under the map's lock: else the notification that the last
  /// subscriber has left could follow that of a new one.
  public RunWatch.Subscription add(String run, Consumer<EventView> listener) {
    byRun.compute(
        run,
        (_, listeners) -> {
          var all = listeners == null ? new CopyOnWriteArrayList<Consumer<EventView>>() : listeners;
          all.add(listener);
          elsewhere.listen(run);
          return all;
        });
    return new RunWatch.Subscription() {
      @Override
      public void renew() {
        elsewhere.listen(run);
      }

      @Override
      public void close() {
        remove(run, listener);
      }
    };
  }

  private void remove(String run, Consumer<EventView> listener) {
    byRun.computeIfPresent(
        run,
        (_, listeners) -> {
          listeners.remove(listener);
          if (!listeners.isEmpty()) {
            return listeners;
          }
          elsewhere.stopListening(run);
          return null;
        });
  }
}
