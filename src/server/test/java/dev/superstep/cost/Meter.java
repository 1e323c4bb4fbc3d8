package dev.superstep.cost;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.schedule.ScheduledRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Counts what is done in the database meanwhile.
final class Meter {
  private static final Duration QUIET = Duration.ofMillis(150);
  private static final int BY_BACKEND = 180_000;

  private final JdbcClient server;
  private final CountingProxy proxy;
  private final Supplier<Collection<DataSource>> pools;

  /// Before release 18 PostgreSQL does not say whose they were.
  private final String fsyncs;

  /// @param server a connection that is not counted
  /// @param pools those of the service
  Meter(JdbcClient server, CountingProxy proxy, Supplier<Collection<DataSource>> pools) {
    this.server = server;
    this.proxy = proxy;
    this.pools = pools;
    var version = server.sql("select current_setting('server_version_num')::int");
    this.fsyncs =
        version.query(Integer.class).single() >= BY_BACKEND
            ? """
            select sum(fsyncs) from pg_stat_io
             where object = 'wal' and context = 'normal' and backend_type = 'client backend'
            """
            : "select wal_sync from pg_stat_wal";
  }

  /// In the order of the columns of the tests.
  record Counts(
      double roundTrips,
      double statements,
      double transactions,
      double writes,
      double fsyncs,
      double walBytes,
      double updates,
      double planned,
      double rows) {

    private Counts minus(Counts other) {
      return with(other, (mine, before) -> mine - before);
    }

    Counts least(Counts other) {
      return with(other, Math::min);
    }

    Counts each(int times) {
      return with(this, (all, _) -> all / times);
    }

    private Counts with(Counts other, DoubleBinaryOperator operator) {
      return new Counts(
          operator.applyAsDouble(roundTrips, other.roundTrips),
          operator.applyAsDouble(statements, other.statements),
          operator.applyAsDouble(transactions, other.transactions),
          operator.applyAsDouble(writes, other.writes),
          operator.applyAsDouble(fsyncs, other.fsyncs),
          operator.applyAsDouble(walBytes, other.walBytes),
          operator.applyAsDouble(updates, other.updates),
          operator.applyAsDouble(planned, other.planned),
          operator.applyAsDouble(rows, other.rows));
    }

    List<Double> all() {
      return List.of(
          roundTrips, statements, transactions, writes, fsyncs, walBytes, updates, planned, rows);
    }
  }

  /// Until nothing is done any more.
  Counts of(Runnable work) {
    awaitQuiet();
    publish();
    var before = read();
    work.run();
    awaitQuiet();
    long own = publish();
    return read().minus(before).minus(new Counts(own, 0, own, 0, 0, 0, 0, 0, 0));
  }

  private void awaitQuiet() {
    var last = new AtomicReference<>(read());
    await()
        .pollInterval(QUIET)
        .until(() -> {
          var now = read();
          return last.getAndSet(now).roundTrips() == now.roundTrips();
        });
  }

  /// Without what a replica says all the time to be known as alive, a statement a transaction.
  private Counts read() {
    long roundTrips = proxy.roundTrips();
    long transactions = proxy.transactions();
    return server
        .sql(
            """
            select asked.statements, asked.planned, watch.statements as watching,
                   pg_snapshot_xmax(pg_current_snapshot())::text::bigint - watch.writes as writes,
                   (%s) - watch.writes as fsyncs,
                   pg_current_wal_insert_lsn() - '0/0' - watch.wal as wal,
                   run.n_tup_upd - run.n_tup_hot_upd as updates,
                   run.seq_tup_read + run.idx_tup_fetch as rows
              from (select sum(calls) as statements, sum(plans) as planned
                      from pg_stat_statements
                     where query !~* :own and query !~ :watch) as asked,
                   (select coalesce(sum(calls), 0) as statements,
                           coalesce(sum(calls) filter (where query ~* 'update'), 0) as writes,
                           coalesce(sum(wal_bytes), 0) as wal
                      from pg_stat_statements where query ~ :watch) as watch,
                   pg_stat_user_tables as run
             where run.relname = 'run'
            """
                .formatted(fsyncs))
        .param("own", "^(begin|commit|rollback)|pg_stat_")
        .param("watch", ScheduledRows.WATCH_STATEMENTS)
        .query((row, _) ->
            new Counts(
                roundTrips - row.getDouble("watching"),
                row.getDouble("statements"),
                transactions - row.getDouble("watching"),
                row.getDouble("writes"),
                row.getDouble("fsyncs"),
                row.getDouble("wal"),
                row.getDouble("updates"),
                row.getDouble("planned"),
                row.getDouble("rows")))
        .single();
  }

  /// A backend keeps its counts to itself for seconds, unless it is asked.
  ///
  /// @return how many were asked
  private int publish() {
    var idle = new ArrayList<Connection>();
    try {
      for (var pool : pools.get()) {
        if (pool.isWrapperFor(HikariDataSource.class)) {
          borrow(pool.unwrap(HikariDataSource.class), idle);
        }
      }
      for (var connection : idle) {
        try (var statement = connection.createStatement()) {
          statement.execute("select pg_stat_force_next_flush()");
        }
      }
      for (var connection : idle) {
        connection.close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return idle.size();
  }

  private static void borrow(HikariDataSource pool, Collection<Connection> into)
      throws SQLException {
    if (pool.getHikariPoolMXBean() == null) {
      return; // nothing was asked of it yet
    }
    for (int i = pool.getHikariPoolMXBean().getIdleConnections(); i > 0; i--) {
      into.add(pool.getConnection());
    }
  }
}
