package dev.superstep.schedule;

import dev.superstep.database.Pools;
import dev.superstep.schedule.ReplicaNotifications.NotificationKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Receives notifications of other replicas, on one connection that listens.
///
/// No statement runs on that connection, so that its end could pass unnoticed for hours: after a
/// lease without a notification it is asked whether it still lives.
@Component
final class NotificationReceiver implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(NotificationReceiver.class);
  private static final Duration RECONNECT = Duration.ofSeconds(1);
  private static final int LOOK_MS = 1_000;

  private final DataSource listening;
  private final PostgresNotifications notifications;
  private final NotificationListener listener;
  private final Replica replica;
  private final ScheduleSettings settings;
  private volatile boolean running;

  NotificationReceiver(
      @Qualifier(Pools.LISTENER) DataSource listening,
      PostgresNotifications notifications,
      NotificationListener listener,
      Replica replica,
      ScheduleSettings settings) {
    this.listening = listening;
    this.notifications = notifications;
    this.listener = listener;
    this.replica = replica;
    this.settings = settings;
  }

  @Override
  public void start() {
    running = true;
    if (settings.hints()) {
      Thread.ofVirtual().name("notifications-in").start(this::listenAlways);
    }
  }

  private void listenAlways() {
    try {
      while (running) {
        try (var connection = listening.getConnection()) {
          listen(connection);
        } catch (SQLException | RuntimeException e) {
          log.debug("Notifications cannot be received for now", e);
        }
        notifications.arrive(false);
        if (running) {
          Thread.sleep(RECONNECT);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("listen superstep");
      statement.execute("listen \"" + PostgresNotifications.CHANNEL + notifications.self() + "\"");
    }
    notifications.arrive(true);
    listener.missedSome();
    replica.pollDueRuns();
    var server = connection.unwrap(PGConnection.class);
    long heard = System.nanoTime();
    while (running) {
      var notices = server.getNotifications(LOOK_MS);
      if (notices != null && notices.length > 0) {
        receive(notices);
        heard = System.nanoTime();
      } else if (System.nanoTime() - heard > settings.lease().toNanos()) {
        checkAlive(connection);
        heard = System.nanoTime();
      }
    }
  }

  private static void checkAlive(Connection connection) throws SQLException {
    if (!connection.isValid((int) Pools.SILENCE_MAX.toSeconds())) {
      throw new SQLException("the connection that listens does not answer");
    }
  }

  private void receive(PGNotification[] notices) {
    for (var notice : notices) {
      if (notice.getName().startsWith(PostgresNotifications.CHANNEL)) {
        listener.onLiveText(notice.getParameter());
      } else {
        NotificationCodec.read(notice.getParameter(), notifications.self(), this::receive);
      }
    }
  }

  private void receive(String sender, NotificationKind kind, String run) {
    if (kind == NotificationKind.DUE) {
      replica.pollDueRuns();
    } else {
      listener.onNotification(sender, kind, run);
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

  /// Drivers that are asked to end still receive answers and cancels.
  @Override
  public int getPhase() {
    return SmartLifecycle.DEFAULT_PHASE - 1;
  }
}
