package dev.superstep.schedule;

import dev.superstep.database.Pools;
import dev.superstep.schedule.ReplicaNotifications.NotificationKind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Notifies by NOTIFY. Notifications are gathered while the last ones are being sent and go out in
/// one autocommitted statement: NOTIFY takes a lock of the whole server at commit, so it must not
/// be part of a longer transaction. With `superstep.hints=false` nothing is sent and nothing
/// arrives, for databases behind a pooler without sessions.
@Component
final class PostgresNotifications implements ReplicaNotifications, SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(PostgresNotifications.class);

  /// Precedes the name of a replica in the name of its own channel.
  static final String CHANNEL = "superstep-";

  private static final Duration GATHER = Duration.ofMillis(10);

  private final JdbcClient jdbc;
  private final boolean enabled;
  private final String self = UUID.randomUUID().toString();
  private final Outbox outbox = new Outbox();
  private volatile boolean running;
  private volatile boolean arrive;

  PostgresNotifications(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, ScheduleSettings settings) {
    this.jdbc = jdbc;
    this.enabled = settings.hints();
  }

  /// The name under which this process sends and receives.
  String self() {
    return self;
  }

  @Override
  public void send(NotificationKind kind, String run) {
    if (enabled) {
      outbox.add(kind, run);
    }
  }

  @Override
  public boolean arrive() {
    return arrive;
  }

  /// Notifications of other replicas arrive from now on, or do not any more.
  void arrive(boolean now) {
    arrive = now;
  }

  @Override
  public void start() {
    running = true;
    if (enabled) {
      Thread.ofVirtual().name("notifications-out").start(this::sendAll);
    }
  }

  private void sendAll() {
    try {
      while (running) {
        for (var payload : NotificationCodec.write(self, outbox.take())) {
          send(payload);
        }
        Thread.sleep(GATHER);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(String payload) {
    try {
      jdbc.sql("select pg_notify('superstep', ?)").param(payload).query((_, _) -> 0).list();
    } catch (DataAccessException | TransactionException e) {
      log.debug("A notification could not be sent; the polls of other replicas replace it", e);
    }
  }

  /// Texts go to a channel that only that replica listens to.
  @Override
  public void sendLive(String replica, List<String> texts) {
    try {
      jdbc.sql("select pg_notify(?, text) from unnest(?::text[]) as text")
          .params(CHANNEL + replica, texts.toArray(String[]::new))
          .query((_, _) -> 0)
          .list();
    } catch (DataAccessException | TransactionException e) {
      log.debug("Live events could not be sent to another replica; they are lost", e);
    }
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /// Runs handed back during shutdown are still announced to other replicas.
  @Override
  public int getPhase() {
    return SmartLifecycle.DEFAULT_PHASE - 1;
  }

  /// Notifications still to be sent, each once. Beyond a limit they are dropped.
  private static final class Outbox {
    private static final int RUNS_MAX = 2_000;

    private Map<NotificationKind, Set<String>> waiting = new EnumMap<>(NotificationKind.class);

    synchronized void add(NotificationKind kind, String run) {
      var runs = waiting.computeIfAbsent(kind, _ -> new LinkedHashSet<>());
      if (runs.size() < RUNS_MAX && runs.add(run)) {
        notifyAll();
      }
    }

    /// Waits for notifications and takes all.
    synchronized Map<NotificationKind, Set<String>> take() throws InterruptedException {
      while (waiting.isEmpty()) {
        wait();
      }
      var taken = waiting;
      waiting = new EnumMap<>(NotificationKind.class);
      return taken;
    }
  }
}
