package dev.superstep.run.stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.run.EventView;
import dev.superstep.schedule.ReplicaNotifications;
import dev.superstep.schedule.ReplicaNotifications.NotificationKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Sends live events of runs driven here to the replicas whose clients watch them. Replicas
/// subscribe, again every 20 s, for a minute each. Without subscribers an event costs one look-up
/// and nothing is sent.
///
/// Events are collected for a moment, so that pieces of a text are sent together. Events that do
/// not fit into the queue of a replica are lost.
@Component
public class LiveEventRelay {
  private static final Logger log = LoggerFactory.getLogger(LiveEventRelay.class);

  private static final Duration GATHER = Duration.ofMillis(20);
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(20);
  private static final int RUNS_MAX = 10_000;
  private static final long REPLICA_BYTES_MAX = 1 << 20;

  private final ReplicaNotifications replicaNotifications;
  private final Cache<String, Boolean> askedFor =
      Caffeine.newBuilder().maximumSize(RUNS_MAX).expireAfterWrite(ASKED_AGAIN).build();
  private final LiveEventCodec reading = new LiveEventCodec();

  /// Run → replica → when it subscribed, by `nanoTime`.
  private final ConcurrentHashMap<String, Map<String, Long>> subscriptions =
      new ConcurrentHashMap<>();

  private final Object sender = new Object();
  private final Map<String, LiveEventBuffer> queues = new HashMap<>();
  private final Set<String> moved = new HashSet<>();
  private @Nullable Thread sending;

  LiveEventRelay(ReplicaNotifications replicaNotifications) {
    this.replicaNotifications = replicaNotifications;
  }

  /// Events that are sent together.
  private record EventBatch(Map<String, List<EventView>> events, Set<String> moved) {
    boolean isEmpty() {
      return events.isEmpty() && moved.isEmpty();
    }
  }

  /// One more client of this replica watches a run that other replicas may work on. For one run,
  /// calls of this and of [#stopListening] are serialized in the order of the changes.
  void join(String run) {
    if (replicaNotifications.arrive()) {
      // Before the subscription, which would let pieces in ahead of the texts they belong to.
      replicaNotifications.send(NotificationKind.JOINED, run);
    }
    listen(run);
  }

  /// Clients of this replica still watch the run.
  void listen(String run) {
    if (replicaNotifications.arrive() && askedFor.asMap().putIfAbsent(run, Boolean.TRUE) == null) {
      replicaNotifications.send(NotificationKind.SUBSCRIBED, run);
    }
  }

  /// No client of this replica watches the run any more.
  void stopListening(String run) {
    askedFor.invalidate(run);
    replicaNotifications.send(NotificationKind.UNSUBSCRIBED, run);
  }

  public void subscribed(String replica, String run) {
    if (subscriptions.size() >= RUNS_MAX) {
      forgetOld();
    }
    if (subscriptions.size() < RUNS_MAX || subscriptions.containsKey(run)) {
      long now = System.nanoTime();
      subscriptions.compute(
          run,
          (_, known) -> {
            var replicas = known == null ? new ConcurrentHashMap<String, Long>() : known;
            replicas.put(replica, now);
            return replicas;
          });
    }
  }

  public void unsubscribed(String replica, String run) {
    subscriptions.computeIfPresent(
        run,
        (_, replicas) -> {
          replicas.remove(replica);
          return replicas.isEmpty() ? null : replicas;
        });
  }

  private void forgetOld() {
    long now = System.nanoTime();
    subscriptions.values().removeIf(it -> it.values().stream().allMatch(at -> isOver(at, now)));
  }

  private static boolean isOver(long subscribed, long now) {
    return now - subscribed > KEPT.toNanos();
  }

  /// Whether a client of another replica watches the run.
  public boolean watches(String run) {
    var replicas = subscriptions.get(run);
    if (replicas == null) {
      return false;
    }
    long now = System.nanoTime();
    replicas.values().removeIf(at -> isOver(at, now));
    return !replicas.isEmpty();
  }

  /// Sends an event soon to the replicas that watch the run.
  void publish(EventView event) {
    var replicas = subscriptions.get(event.run());
    if (replicas != null) {
      synchronized (sender) {
        for (var replica : replicas.keySet()) {
          enqueue(replica, event);
        }
        sendSoon();
      }
    }
  }

  /// Sends an event soon to one replica.
  void publish(String replica, EventView event) {
    synchronized (sender) {
      enqueue(replica, event);
      sendSoon();
    }
  }

  private void enqueue(String replica, EventView event) {
    queues.computeIfAbsent(replica, _ -> new LiveEventBuffer(REPLICA_BYTES_MAX)).add(event);
  }

  /// The run has committed something here, and other replicas wait for it. They are notified after
  /// the events that led to it.
  void moved(String run) {
    if (!watches(run)) {
      replicaNotifications.send(NotificationKind.LOOK, run);
      return;
    }
    synchronized (sender) {
      moved.add(run);
      sendSoon();
    }
  }

  private void sendSoon() {
    if (sending == null) {
      var thread = Thread.ofVirtual().name("live-out").unstarted(this::sendAll);
      thread.start();
      sending = thread;
    }
  }

  private void sendAll() {
    try {
      for (var batch = gather(); !batch.isEmpty(); batch = gather()) {
        send(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended();
    }
  }

  /// The next event starts another thread, whatever has ended this one: else no event would be sent
  /// any more.
  private void ended() {
    synchronized (sender) {
      if (Thread.currentThread().equals(sending)) {
        sending = null;
        if (!queues.isEmpty() || !moved.isEmpty()) {
          sendSoon();
        }
      }
    }
  }

  private void send(EventBatch batch) {
    try {
      batch
          .events()
          .forEach((replica, events) ->
              replicaNotifications.sendLive(replica, LiveEventCodec.write(events)));
    } catch (RuntimeException e) {
      log.warn("Live events could not be sent to other replicas; they are lost", e);
    } finally {
      batch.moved().forEach(it -> replicaNotifications.send(NotificationKind.LOOK, it));
    }
  }

  private EventBatch gather() throws InterruptedException {
    Thread.sleep(GATHER);
    synchronized (sender) {
      var events = new HashMap<String, List<EventView>>();
      queues.forEach((replica, queue) -> events.put(replica, queue.drain()));
      var batch = new EventBatch(events, Set.copyOf(moved));
      queues.clear();
      moved.clear();
      if (batch.isEmpty()) {
        sending = null;
      }
      return batch;
    }
  }

  /// Returns the events that another replica has sent, once they are complete. To be called from
  /// one thread only.
  public List<EventView> read(String text) {
    return reading.read(text);
  }
}
