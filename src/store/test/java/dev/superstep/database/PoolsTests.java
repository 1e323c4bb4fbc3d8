package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.database.PoolsConfiguration.ApiDataSource;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/// The pools over a real PostgreSQL: for how long each waits for an answer, and API calls for a
/// connection.
@SpringJUnitConfig(TestDatabase.class)
@ImportAutoConfiguration(DataSourceAutoConfiguration.class)
@TestPropertySource(
    properties = {
      "spring.datasource.hikari.maximum-pool-size=1",
      "spring.datasource.hikari.connection-timeout=300",
      "superstep.pools.silence-max=1s"
    })
@DirtiesContext
class PoolsTests {
  private static final Duration SILENCE_MAX = Duration.ofSeconds(1);
  private static final Duration SEVERAL_ATTEMPTS = Duration.ofSeconds(1);

  @Autowired private DataSource web;
  @Autowired private OutageLog outage;

  @Test
  void endsSilentStatementsOfEachPoolButTheListeners(
      @Autowired @Qualifier(Pools.ENGINE) DataSource engine,
      @Autowired @Qualifier(Pools.COMMITS) DataSource commits,
      @Autowired @Qualifier(Pools.SCHEDULER) DataSource scheduler,
      @Autowired @Qualifier(Pools.WATCH) DataSource watch,
      @Autowired @Qualifier(Pools.LISTENER) DataSource listener)
      throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var ended =
          Stream.of(web, engine, commits, scheduler, watch)
              .map(pool -> threads.submit(() -> sleep(pool, 30)))
              .toList();
      sleep(listener, SILENCE_MAX.toSeconds() + 1);

      for (var silent : ended) {
        assertThatThrownBy(silent::get)
            .hasRootCauseInstanceOf(SocketException.class)
            .hasStackTraceContaining("the database said nothing for");
      }
    }
    // The server does not go on with what nobody waits for any more.
    await().until(() -> sleeping(listener) == 0);
  }

  private static int sleeping(DataSource pool) {
    return JdbcClient.create(pool)
        .sql(
            """
            select count(*) from pg_stat_activity
             where query like 'select pg_sleep(%' and state = 'active'
            """)
        .query(Integer.class)
        .single();
  }

  private static boolean sleep(DataSource pool, long seconds) throws SQLException {
    try (var connection = pool.getConnection();
        var statement = connection.prepareStatement("select pg_sleep(?)")) {
      statement.setLong(1, seconds);
      return statement.executeQuery().next();
    }
  }

  /// A replica that stands still within a transaction keeps nobody from its rows for longer than
  /// others wait for an answer.
  @Test
  void endsTransactionsOfWhoIsSilent(
      @Autowired @Qualifier(Pools.ENGINE) DataSource engine,
      @Autowired @Qualifier(Pools.COMMITS) DataSource commits,
      @Autowired @Qualifier(Pools.SCHEDULER) DataSource scheduler,
      @Autowired @Qualifier(Pools.LISTENER) DataSource listener)
      throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var ended = new ArrayList<Future<?>>();
      for (var pool : List.of(web, engine, commits, scheduler)) {
        long lock = 40L + ended.size();
        ended.add(threads.submit(() -> isEndedWhileSilent(pool, lock, listener)));
      }
      for (var silent : ended) {
        silent.get();
      }
    }
  }

  private static Object isEndedWhileSilent(DataSource pool, long lock, DataSource listener)
      throws SQLException {
    try (var silent = pool.getConnection();
        var statement = silent.createStatement()) {
      silent.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(%d)".formatted(lock));
      await().atMost(Duration.ofSeconds(10)).until(() -> takesLock(lock, listener));
      assertThatThrownBy(silent::commit).isInstanceOf(SQLException.class);
    }
    return pool;
  }

  private static boolean takesLock(long lock, DataSource pool) {
    return JdbcClient.create(pool)
        .sql("select pg_try_advisory_xact_lock(?)")
        .param(lock)
        .query(Boolean.class)
        .single();
  }

  @Test
  void waitsForAConnectionWhileTheDatabaseAnswers() throws Exception {
    Callable<Connection> wanted = web::getConnection;
    var waiting = new FutureTask<>(wanted);
    try (var occupied = web.getConnection()) {
      assertThat(occupied.isValid(1)).isTrue();
      Thread.ofVirtual().start(waiting);
      await().during(SEVERAL_ATTEMPTS).until(() -> !waiting.isDone());
    }
    try (var connection = waiting.get(10, TimeUnit.SECONDS)) {
      assertThat(connection.isValid(1)).isTrue();
    }
  }

  @Test
  void waitsForOneAttemptWhileTheDatabaseIsAway() throws Exception {
    outage.failed(new SQLException("away"));
    try (var occupied = web.getConnection()) {
      assertThat(occupied.isValid(1)).isTrue();
      long begun = System.nanoTime();
      assertThatThrownBy(web::getConnection).isInstanceOf(SQLTransientConnectionException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    } finally {
      outage.answered();
    }
  }

  @Test
  void waitsForSoLongOnly() throws Exception {
    var attempts = new AtomicLong();
    var pool =
        new ApiDataSource(
            web.unwrap(HikariDataSource.class),
            Duration.ofSeconds(3),
            () -> false,
            () -> TimeUnit.SECONDS.toNanos(attempts.getAndIncrement()),
            null);
    try (var occupied = web.getConnection()) {
      assertThat(occupied.isValid(1)).isTrue();
      assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);
    }
    assertThat(attempts).hasValue(4);
  }
}
