package dev.superstep.database;

import java.time.Duration;

/// The qualifiers of the connection pools of a replica. Each kind of work has a pool of its own, so
/// that none can starve another: a burst of API calls takes no connection from a commit, nor a
/// burst of commits one from a heartbeat. Sizes: `superstep.pools.*`.
///
/// API calls, JPA and Flyway are on the primary `DataSource` and need no qualifier. For [#ENGINE]
/// and [#SCHEDULER] there are a `DataSource`, a `JdbcClient` and a `PlatformTransactionManager`;
/// for [#COMMITS] and [#LISTENER] there is a `DataSource`, for [#WATCH] a `JdbcClient`.
public final class Pools {
  /// For drivers, besides committing supersteps: loading runs, holds, recorded outcomes, signals.
  public static final String ENGINE = "engine";

  /// Plain commits and recorded outcomes. As many connections as there are writers: none waits.
  public static final String COMMITS = "commits";

  /// For db-scheduler, with the heartbeat.
  public static final String SCHEDULER = "scheduler";

  /// The connection that LISTENs. It is held for as long as the process lives.
  public static final String LISTENER = "listener";

  /// For the watch that keeps this replica a member and checks whether the database answers. No
  /// statement on it waits longer than [#SILENCE_MAX], so that outages and their ends are noticed.
  public static final String WATCH = "watch";

  /// How long the database may take to answer the watch before it counts as away.
  public static final Duration SILENCE_MAX = Duration.ofSeconds(3);

  /// SQL for a number of the schema in which the connection works, to be combined by `#` with the
  /// key of an advisory lock: those locks are of a database, in which each schema may belong to
  /// another service. Zero for `public`, where replicas of releases before lock the bare key.
  public static final String SCHEMA_KEY =
      "(case current_schema() when 'public' then 0"
          + " else hashtextextended(current_schema(), 0) end)";

  private Pools() {}
}
