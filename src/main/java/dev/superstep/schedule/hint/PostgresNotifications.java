package dev.superstep.schedule.hint;

import dev.superstep.schedule.NotificationListener;
import dev.superstep.schedule.ReplicaNotifications;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

/// Notifies by NOTIFY. Notifications are gathered while the last ones are being sent and go out in
/// one autocommitted statement: NOTIFY takes a lock of the whole server at commit, so it must not
/// be part of a longer transaction. One connection listens.
public final class PostgresNotifications implements ReplicaNotifications, SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(PostgresNotifications.class);

  /// Precedes the name of a replica in the name of its own channel.
  private static final String CHANNEL = "superstep-";

  private static final Duration GATHER = Duration.ofMillis(10);
  private static final Duration RECONNECT = Duration.ofSeconds(1);
  private static final int LOOK_MS = 1_000;

  private final DataSource listening;
  private final JdbcClient sending;
  private final Runnable pollDueRuns;
  private final Supplier<NotificationListener> listener;
  private final String self = UUID.randomUUID().toString();
  private final Outbox outbox = new Outbox();
  private volatile boolean running;
  private volatile boolean arrive;

  /// @param pollDueRuns polls for due runs
  public PostgresNotifications(
      DataSource listening,
      JdbcClient sending,
      Runnable pollDueRuns,
      Supplier<NotificationListener> listener) {
    this.listening = listening;
    this.sending = sending;
    this.pollDueRuns = pollDueRuns;
    this.listener = listener;
  }

  @Override
  public void send(Kind kind, String run) {
    outbox.add(kind, run);
  }

  @Override
  public boolean arrive() {
    return arrive;
  }

  @Override
  public void start() {
    running = true;
    Thread.ofVirtual().name("notifications-out").start(this::sendAll);
    Thread.ofVirtual().name("notifications-in").start(this::listenAlways);
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
      sending.sql("select pg_notify('superstep', ?)").param(payload).query((_, _) -> 0).list();
    } catch (DataAccessException | TransactionException e) {
      log.debug("A notification could not be sent; the polls of other replicas replace it", e);
    }
  }

  /// Texts go to a channel that only that replica listens to.
  @Override
  public void sendLive(String replica, List<String> texts) {
    try {
      sending
          .sql("select pg_notify(?, text) from unnest(?::text[]) as text")
          .params(CHANNEL + replica, texts.toArray(String[]::new))
          .query((_, _) -> 0)
          .list();
    } catch (DataAccessException | TransactionException e) {
      log.debug("Live events could not be sent to another replica; they are lost", e);
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
        arrive = false;
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
      statement.execute("listen \"" + CHANNEL + self + "\"");
    }
    arrive = true;
    listener.get().missedSome();
    pollDueRuns.run();
    var server = connection.unwrap(PGConnection.class);
    while (running) {
      var notices = server.getNotifications(LOOK_MS);
      for (int i = 0; notices != null && i < notices.length; i++) {
        receive(notices[i]);
      }
    }
  }

  private void receive(PGNotification notice) {
    if (notice.getName().startsWith(CHANNEL)) {
      listener.get().onLiveText(notice.getParameter());
    } else {
      NotificationCodec.read(notice.getParameter(), self, this::receive);
    }
  }

  private void receive(String sender, Kind kind, String run) {
    switch (kind) {
      case QUEUED -> pollDueRuns.run();
      case NEWS, MOVED, WATCHED, LISTENING, DEAF ->
          listener.get().onNotification(sender, kind, run);
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
}
