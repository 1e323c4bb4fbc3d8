package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.database.TestDatabase;
import dev.superstep.schedule.ReplicaNotifications.NotificationKind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// What arrives over the connection that listens, and what happens when nothing arrives any more.
class NotificationReceiverTests {
  private static final ScheduleSettings SETTINGS =
      new ScheduleSettings(
          Duration.ofMillis(100), Duration.ZERO, Duration.ZERO, Duration.ofMillis(250), true);

  private final Heard heard = new Heard();
  private final List<PostgresNotifications> senders = new CopyOnWriteArrayList<>();
  private final DriverManagerDataSource database = new DriverManagerDataSource();
  private final Listening listening = new Listening(database);

  @BeforeEach
  void connects() throws SQLException {
    var fresh = TestDatabase.fresh();
    database.setUrl(fresh.getJdbcUrl());
    database.setUsername(fresh.getUsername());
    database.setPassword(fresh.getPassword());
  }

  @AfterEach
  void stops() {
    senders.forEach(PostgresNotifications::stop);
  }

  private PostgresNotifications sender() {
    var sender = new PostgresNotifications(JdbcClient.create(database), SETTINGS);
    senders.add(sender);
    sender.start();
    return sender;
  }

  private void receiving(PostgresNotifications own, Runnable test) {
    var receiver = new NotificationReceiver(listening, own, heard, heard, SETTINGS);
    receiver.start();
    try {
      await().until(own::arrive);
      test.run();
    } finally {
      receiver.stop();
    }
  }

  @Test
  void receivesWhatOthersSend() {
    var other = sender();
    var own = sender();

    receiving(
        own,
        () -> {
          int polls = heard.polls.get();
          other.send(NotificationKind.LOOK, "r1");
          own.send(NotificationKind.LOOK, "r2");
          other.send(NotificationKind.DUE, "");
          other.sendLive(own.self(), List.of("text"));

          await().until(() -> heard.texts.contains("LOOK r1") && heard.texts.contains("text"));
          await().until(() -> heard.polls.get() > polls);
          assertThat(heard.texts).doesNotContain("LOOK r2");
        });
  }

  /// The other end is gone without a word: the connection stays open, and nothing arrives.
  @Test
  void replacesAConnectionThatDoesNotAnswer() {
    var own = sender();

    receiving(
        own,
        () -> {
          int missed = heard.missed.get();
          listening.dead = true;

          await().until(() -> listening.connections.get() > 1);
          await().until(() -> heard.missed.get() > missed);
        });
  }

  /// Connections that can die without being closed.
  private static final class Listening extends AbstractDataSource {
    private final AtomicInteger connections = new AtomicInteger();
    private final DriverManagerDataSource database;
    private volatile boolean dead;

    Listening(DriverManagerDataSource database) {
      this.database = database;
    }

    @Override
    public Connection getConnection() throws SQLException {
      connections.incrementAndGet();
      dead = false;
      var connection = database.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Connection.class},
              (_, method, args) -> {
                if (dead && method.getName().equals("isValid")) {
                  return false;
                }
                try {
                  return method.invoke(connection, args);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
      return getConnection();
    }
  }

  private static final class Heard implements NotificationListener, Replica {
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final AtomicInteger polls = new AtomicInteger();
    private final AtomicInteger missed = new AtomicInteger();

    @Override
    public void onNotification(String sender, NotificationKind kind, String run) {
      texts.add(kind + " " + run);
    }

    @Override
    public void onLiveText(String text) {
      texts.add(text);
    }

    @Override
    public void missedSome() {
      missed.incrementAndGet();
    }

    @Override
    public void pollDueRuns() {
      polls.incrementAndGet();
    }

    @Override
    public Optional<String> id() {
      return Optional.of("r");
    }

    @Override
    public Optional<String> taking() {
      return id();
    }

    @Override
    public boolean leaving() {
      return false;
    }

    @Override
    public void pauseClaims() {}

    @Override
    public void resumeClaims() {}
  }
}
