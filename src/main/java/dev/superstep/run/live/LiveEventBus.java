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
  private final LiveEventRelay liveEventRelay;

  @Autowired
  LiveEventBus(DatabaseClock clock, LiveEventRelay liveEventRelay) {
    this((InstantSource) clock, liveEventRelay);
  }

  LiveEventBus(InstantSource clock, LiveEventRelay liveEventRelay) {
    this.clock = clock;
    this.liveEventRelay = liveEventRelay;
  }

  @Override
  public boolean watches(String run) {
    return byRun.containsKey(run) || liveEventRelay.watches(run);
  }

  @Override
  public void observe(String run, String type, TaskKey task, ObjectValue data) {
    if (watches(run)) {
      var event = Event.of(type, task, data);
      var view = new EventView(Optional.empty(), run, clock.instant(), event);
      hand(view);
      liveEventRelay.publish(view);
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
        (_, subscribers) -> {
          var all =
              subscribers == null ? new CopyOnWriteArrayList<Consumer<EventView>>() : subscribers;
          all.add(listener);
          liveEventRelay.listen(run);
          return all;
        });
    return new RunWatch.Subscription() {
      @Override
      public void renew() {
        liveEventRelay.listen(run);
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
        (_, subscribers) -> {
          subscribers.remove(listener);
          if (!subscribers.isEmpty()) {
            return subscribers;
          }
          liveEventRelay.stopListening(run);
          return null;
        });
  }
}
