package dev.superstep.run.stream;

import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.node.TextHead;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.run.EventView;
import dev.superstep.run.RunWatch;
import dev.superstep.state.value.ObjectValue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Delivers live events to subscribers on this and other replicas, and to new ones the texts that
/// tasks are writing. Without subscribers an event costs two look-ups, and a piece of a text, which
/// is there only if its provider was asked to stream, an uncontended lock and a copy of its
/// characters besides.
@Component
public class LiveEventBus implements RunObserver {
  private static final Logger log = LoggerFactory.getLogger(LiveEventBus.class);

  private final ConcurrentHashMap<String, LiveRun> byRun = new ConcurrentHashMap<>();
  private final AtomicLong keptChars = new AtomicLong();
  private final InstantSource clock;
  private final LiveEventRelay liveEventRelay;

  private final Counter repeated;

  LiveEventBus(InstantSource clock, LiveEventRelay liveEventRelay, MeterRegistry meters) {
    this.clock = clock;
    this.liveEventRelay = liveEventRelay;
    repeated =
        Counter.builder("superstep.calls.repeated")
            .description("Calls whose answers were lost with their driver: they are made again")
            .register(meters);
  }

  @Override
  public void lost(String run, TaskKey task) {
    repeated.increment();
    log.warn("The answer of {} of run {} is lost; its call is made again", task, run);
    RunObserver.super.lost(run, task);
  }

  @Override
  public boolean watches(String run) {
    var known = byRun.get(run);
    return (known != null && known.hasSubscribers()) || liveEventRelay.watches(run);
  }

  @Override
  public boolean keepsTexts(String run) {
    var known = byRun.get(run);
    return known != null && known.isKept();
  }

  @Override
  public void observe(String run, String type, TaskKey task, ObjectValue data) {
    if (watches(run)) {
      var view = view(run, Event.of(type, task, data));
      hand(view);
      liveEventRelay.publish(view);
    }
  }

  private EventView view(String run, Event event) {
    return new EventView(Optional.empty(), run, clock.instant(), event);
  }

  private EventView view(String run, TaskKey task, MessageDelta delta) {
    return view(run, Event.of(MessageDelta.TYPE, task, delta.data()));
  }

  @Override
  public LiveText begin(String run, TaskKey task, int attempt, Optional<String> messageId) {
    var head = new TextHead(attempt, UUID.randomUUID().toString(), messageId);
    var text = new KeptText(head, keptChars);
    var liveRun =
        byRun.compute(
            run,
            (_, known) -> {
              var it = known == null ? new LiveRun() : known;
              it.begin(task, text);
              return it;
            });
    return new LiveText() {
      @Override
      public void append(String piece) {
        liveRun.append(
            text,
            piece,
            delta -> {
              if (watches(run)) {
                observe(run, MessageDelta.TYPE, task, delta.data());
              }
            });
      }

      @Override
      public void close() {
        change(run, it -> it.end(task, text));
      }
    };
  }

  /// Where texts are kept for a run that has not left this replica before.
  @Override
  public void spread(String run) {
    byRun.computeIfPresent(
        run,
        (_, known) -> {
          if (known.isKept()) {
            known.announced = true;
            liveEventRelay.listen(run);
          }
          return known;
        });
  }

  @Override
  public void ended(String run, List<Task> tasks) {
    if (byRun.containsKey(run)) {
      change(run, it -> it.end(tasks));
    }
  }

  /// Forgets the run if nothing is left of it.
  private void change(String run, Consumer<LiveRun> change) {
    byRun.computeIfPresent(
        run,
        (_, known) -> {
          change.accept(known);
          return known.isEmpty() ? null : known;
        });
  }

  /// How many chars of texts are kept for new subscribers.
  long keptChars() {
    return keptChars.get();
  }

  /// Delivers an event to the subscribers of this replica.
  public void hand(EventView event) {
    var known = byRun.get(event.run());
    if (known != null) {
      known.hand(event);
    }
  }

  /// Another replica has a new subscriber to the run. All others there get the texts so far, too,
  /// and know how to leave out what they have seen. Under the map's lock, so that no text begins
  /// between its subscription and the texts it gets.
  public void joinedElsewhere(String replica, String run) {
    byRun.compute(
        run,
        (_, known) -> {
          if (known == null) {
            liveEventRelay.subscribed(replica, run);
          } else {
            known.join(
                () -> liveEventRelay.subscribed(replica, run),
                (task, delta) -> liveEventRelay.publish(replica, view(run, task, delta)));
          }
          return known;
        });
  }

  /// Other replicas are notified under the map's lock: else the notification that the last
  /// subscriber has left could follow that of a new one.
  public RunWatch.Subscription add(String run, Consumer<EventView> listener) {
    byRun.compute(
        run,
        (_, known) -> {
          var it = known == null ? new LiveRun() : known;
          it.join(() -> it.add(listener), (task, delta) -> listener.accept(view(run, task, delta)));
          it.announced = true;
          liveEventRelay.join(run);
          return it;
        });
    return new RunWatch.Subscription() {
      @Override
      public void renew() {
        liveEventRelay.listen(run);
      }

      @Override
      public void close() {
        change(run, it -> leave(run, it, () -> it.remove(listener)));
      }
    };
  }

  /// Has models write texts of the run piece by piece; on other replicas once it is renewed or
  /// spread.
  public RunWatch.Subscription keepTexts(String run) {
    var keeper = new TextKeeper(run);
    byRun.compute(
        run,
        (_, known) -> {
          var it = known == null ? new LiveRun() : known;
          it.keepers.add(keeper);
          return it;
        });
    return keeper;
  }

  /// Tells other replicas, if they know of this one's interest and this was the last that had any.
  private void leave(String run, LiveRun liveRun, Runnable leaving) {
    leaving.run();
    if (liveRun.announced && !liveRun.hasSubscribers() && !liveRun.isKept()) {
      liveRun.announced = false;
      liveEventRelay.stopListening(run);
    }
  }

  private final class TextKeeper implements RunWatch.Subscription {
    private final String run;

    private TextKeeper(String run) {
      this.run = run;
    }

    @Override
    public void renew() {
      change(
          run,
          it -> {
            it.announced = true;
            liveEventRelay.listen(run);
          });
    }

    @Override
    public void close() {
      change(run, it -> leave(run, it, () -> it.keepers.remove(this)));
    }
  }

  /// The subscribers of this process to one run, and the texts that tasks of the run write in this
  /// process. Its lock puts a new subscriber between two pieces: what it gets of a text has neither
  /// gaps nor repetitions.
  private static final class LiveRun {
    private final List<Consumer<EventView>> subscribers = new CopyOnWriteArrayList<>();
    private final Map<TaskKey, KeptText> texts = new LinkedHashMap<>();
    private final Set<TextKeeper> keepers = ConcurrentHashMap.newKeySet();

    /// Whether other replicas were told that texts or events are wanted here.
    private boolean announced;

    boolean isKept() {
      return !keepers.isEmpty();
    }

    boolean hasSubscribers() {
      return !subscribers.isEmpty();
    }

    synchronized boolean isEmpty() {
      return subscribers.isEmpty() && texts.isEmpty() && keepers.isEmpty();
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

    /// Adds a listener.
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

  /// A text that a task of this process writes, for subscribers that come in the middle of it. One
  /// that is too long, or for which there is no room, is not kept: then they get the pieces that
  /// follow. Guarded by its [LiveRun].
  static final class KeptText {
    /// More than most models write in one answer.
    static final int CHARS_MAX = 256 * 1024;

    /// Of all texts in this process.
    static final long ALL_CHARS_MAX = 16L * 1024 * 1024;

    private final TextHead head;
    private final AtomicLong all;
    private @Nullable StringBuilder text = new StringBuilder();
    private boolean closed;
    private long end;

    /// @param all chars that are kept in this process
    KeptText(TextHead head, AtomicLong all) {
      this.head = head;
      this.all = all;
    }

    /// Adds the next piece; empty if the text is closed.
    Optional<MessageDelta> append(String piece) {
      if (closed) {
        return Optional.empty();
      }
      var delta = MessageDelta.next(head, end, piece);
      end = delta.end();
      keep(piece);
      return Optional.of(delta);
    }

    private void keep(String piece) {
      var kept = text;
      if (kept == null) {
        return;
      }
      boolean fits = kept.length() + piece.length() <= CHARS_MAX;
      if (fits && all.addAndGet(piece.length()) <= ALL_CHARS_MAX) {
        kept.append(piece);
      } else {
        all.addAndGet(-kept.length() - (fits ? piece.length() : 0L));
        text = null;
      }
    }

    /// All of it up to now; empty if there is nothing, or it is not kept.
    Optional<MessageDelta> soFar() {
      var kept = text;
      return kept == null || kept.isEmpty()
          ? Optional.empty()
          : Optional.of(MessageDelta.soFar(head, kept.toString()));
    }

    void close() {
      closed = true;
      if (text != null) {
        all.addAndGet(-text.length());
        text = null;
      }
    }
  }
}
