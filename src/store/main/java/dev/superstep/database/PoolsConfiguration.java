package dev.superstep.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.tenant.Tenant;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/// Configures the pools beside the primary one. None of them is a default candidate: Spring Boot
/// creates the primary one as if they did not exist. Each bounds how long a statement may be
/// silent, the primary one included; only the listener and Flyway, whose statements may take long,
/// do not.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PoolSettings.class)
class PoolsConfiguration {
  private static final Duration IDLE_MAX = Duration.ofMinutes(1);
  private static final Duration WATCH_WAIT_MAX = Duration.ofSeconds(1);
  private static final int WATCH_MAX = 2;
  private static final Duration STATEMENT_GRACE = Duration.ofSeconds(2);

  /// Between two statements of a transaction, but for those of API calls, which may compute there.
  private static final Duration STANDSTILL_MAX = Duration.ofSeconds(10);

  private static final String LOGIN_MAX_SECONDS = "10";
  private static final String PRIMARY = "dataSource";

  /// The driver keeps plans, and a plan made while a table was small would read all of it for every
  /// row by key until the server analyzes the table, the checks of foreign keys included. What goes
  /// on these connections goes by key: an index is right, and its pages are in memory.
  private static final String BY_KEY = "random_page_cost=0.01";

  /// A plan for any number of rows looks dearer to the server than one for the few that a call
  /// brings, so it would plan each batch anew, which takes longer than to execute it. A plan that
  /// is kept must not read a whole table because it was empty when the plan was made.
  private static final String[] KEPT_PLANS = {
    BY_KEY, "plan_cache_mode=force_generic_plan", "enable_seqscan=off"
  };

  /// Looks where the service stands, before a migration or a pool does anything.
  @Bean
  ServerCheck serverCheck(JdbcConnectionDetails database, Environment environment) {
    return ServerCheck.of(
        database,
        environment.getProperty("superstep.hints", Boolean.class, true),
        environment.getProperty("spring.flyway.schemas", ""));
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.ENGINE)
  DataSource enginePool(JdbcConnectionDetails database, PoolSettings settings, ServerCheck server) {
    var pool = pool(Pools.ENGINE, settings.engineMax(), database, settings);
    options(pool, server, settings.silenceMax(), BY_KEY);
    return pool;
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.ENGINE)
  JdbcClient engineJdbc(@Qualifier(Pools.ENGINE) DataSource pool) {
    return JdbcClient.create(pool);
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.ENGINE)
  PlatformTransactionManager engineTransactions(@Qualifier(Pools.ENGINE) DataSource pool) {
    return new JdbcTransactionManager(pool);
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.COMMITS)
  DataSource commitsPool(
      JdbcConnectionDetails database, PoolSettings settings, ServerCheck server) {
    var pool = pool(Pools.COMMITS, settings.commitsMax(), database, settings);
    options(pool, server, settings.silenceMax(), KEPT_PLANS);
    return pool;
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.SCHEDULER)
  DataSource schedulerPool(
      JdbcConnectionDetails database, PoolSettings settings, ServerCheck server) {
    var pool = pool(Pools.SCHEDULER, settings.schedulerMax(), database, settings);
    options(pool, server, settings.silenceMax(), BY_KEY);
    return pool;
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.SCHEDULER)
  JdbcClient schedulerJdbc(@Qualifier(Pools.SCHEDULER) DataSource pool) {
    return JdbcClient.create(pool);
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.SCHEDULER)
  PlatformTransactionManager schedulerTransactions(@Qualifier(Pools.SCHEDULER) DataSource pool) {
    return new JdbcTransactionManager(pool);
  }

  /// The listener's connection is usually silent.
  @Bean(defaultCandidate = false)
  @Qualifier(Pools.LISTENER)
  DataSource listenerPool(
      JdbcConnectionDetails database, PoolSettings settings, ServerCheck server) {
    var pool = unbounded(Pools.LISTENER, settings.listenerMax(), database, settings);
    pool.setMinimumIdle(0);
    return pool;
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.WATCH)
  DataSource watchPool(JdbcConnectionDetails database, PoolSettings settings, ServerCheck server) {
    var pool = unbounded(Pools.WATCH, WATCH_MAX, database, settings);
    pool.setConnectionTimeout(WATCH_WAIT_MAX.toMillis());
    pool.setValidationTimeout(WATCH_WAIT_MAX.toMillis());
    endSilence(pool, Pools.SILENCE_MAX);
    options(pool, server, Pools.SILENCE_MAX);
    return pool;
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.WATCH)
  JdbcClient watchJdbc(@Qualifier(Pools.WATCH) DataSource pool) {
    return JdbcClient.create(pool);
  }

  /// Migrations may take longer than a statement of the service: an index on a large table.
  @Bean(defaultCandidate = false)
  @FlywayDataSource
  DataSource migrations(JdbcConnectionDetails database, ServerCheck server) {
    Objects.requireNonNull(server);
    return new DriverManagerDataSource(
        database.getJdbcUrl(),
        Objects.requireNonNullElse(database.getUsername(), ""),
        Objects.requireNonNullElse(database.getPassword(), ""));
  }

  /// Sets what Spring Boot's settings cannot: time-outs in the unit of the driver, and how long to
  /// wait for a connection while the database answers. A post-processor comes before all beans, so
  /// those that it uses are looked up when the pool is made.
  @Bean
  static BeanPostProcessor timeoutsOfPrimaryPool(
      ObjectProvider<PoolSettings> settings,
      ObjectProvider<OutageLog> outage,
      ObjectProvider<ServerCheck> server,
      ObjectProvider<TenantConnections> tenants) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof HikariDataSource pool && name.equals(PRIMARY)) {
          bound(pool, settings.getObject(), server.getObject());
        }
        return bean;
      }

      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof HikariDataSource pool && name.equals(PRIMARY)
            ? new ApiDataSource(
                pool,
                settings.getObject().waitMax(),
                outage.getObject()::lasts,
                System::nanoTime,
                tenants.getIfAvailable())
            : bean;
      }
    };
  }

  /// For whom a thread works is by [Tenant#ofRequest], unless there is another bean that tells.
  @Bean
  @ConditionalOnBooleanProperty("superstep.tenants.enabled")
  TenantConnections tenantConnections(
      ObjectProvider<TenantOfThread> tenant, ObjectProvider<RowSecurity> security) {
    return new TenantConnections(
        tenant.getIfAvailable(() -> Tenant::ofRequest), security::getObject);
  }

  @Bean
  @ConditionalOnBooleanProperty("superstep.tenants.enabled")
  @DependsOnDatabaseInitialization
  RowSecurity rowSecurity(
      @FlywayDataSource DataSource owner, @Qualifier(PRIMARY) DataSource api, ServerCheck server)
      throws SQLException {
    if (!api.isWrapperFor(ApiDataSource.class)) {
      throw new UnsuitableServerException(
          "superstep.tenants.enabled is true, and the connections of API calls are not those of"
              + " Spring Boot's pool.",
          "Leave spring.datasource.type unset.");
    }
    return RowSecurity.on(owner, server);
  }

  @Bean
  @ConditionalOnBooleanProperty(
      name = "superstep.tenants.enabled",
      havingValue = false,
      matchIfMissing = true)
  @DependsOnDatabaseInitialization
  NoTenants noTenants(@FlywayDataSource DataSource owner) {
    return new NoTenants(owner);
  }

  /// Tells for which tenant a thread works.
  interface TenantOfThread extends Supplier<Optional<Tenant>> {}

  @Bean
  OutageLog outageLog() {
    return new OutageLog(System::nanoTime);
  }

  @Bean
  OutageFilter outageFilter(OutageLog outage) {
    return new OutageFilter(outage);
  }

  private static void bound(HikariDataSource pool, PoolSettings settings, ServerCheck server) {
    endSilence(pool, settings.silenceMax());
    var standstillMax = standstillMax(settings.silenceMax().plus(STATEMENT_GRACE).toMillis());
    options(pool, server, settings.silenceMax(), standstillMax, BY_KEY);
    setUp(pool);
  }

  private static String standstillMax(long millis) {
    return "idle_in_transaction_session_timeout=" + millis;
  }

  /// Settings of each session of a pool, as options with which it begins. Has the server end a
  /// statement, too, soon after its connection was given up for its silence: it would compute an
  /// answer that nobody reads. Likewise a transaction in which the client stands still, as a frozen
  /// process or one behind a dead line does: it would keep others from its runs for as long. Where
  /// a pooler keeps them back no plan is kept: one that was made with the server's costs while the
  /// tables were small would read them whole when they are not.
  private static void options(
      HikariDataSource pool, ServerCheck server, Duration silenceMax, String... more) {
    if (server.takesOptions()) {
      long timeout = silenceMax.plus(STATEMENT_GRACE).toMillis();
      var all =
          new StringJoiner(" -c ", "-c ", "")
              .add("statement_timeout=" + timeout)
              .add(standstillMax(Math.min(timeout, STANDSTILL_MAX.toMillis())));
      Stream.of(more).forEach(all::add);
      pool.getDataSourceProperties().putIfAbsent("options", all.toString());
    } else {
      pool.getDataSourceProperties().putIfAbsent("prepareThreshold", "0");
    }
  }

  private static void endSilence(HikariDataSource pool, Duration max) {
    var properties = pool.getDataSourceProperties();
    if (properties.putIfAbsent("socketFactory", SilenceBoundSocketFactory.class.getName())
        == null) {
      properties.put("socketFactoryArg", max.toString());
    }
  }

  /// Values are strings: the driver ignores properties of any other type.
  private static void setUp(HikariDataSource pool) {
    var properties = pool.getDataSourceProperties();
    // Without it a process-wide time-out applies, set by the pool that was created last.
    properties.putIfAbsent("loginTimeout", LOGIN_MAX_SECONDS);
    properties.putIfAbsent("tcpKeepAlive", "true");
  }

  private static HikariDataSource pool(
      String name, int max, JdbcConnectionDetails database, PoolSettings settings) {
    var pool = unbounded(name, max, database, settings);
    endSilence(pool, settings.silenceMax());
    return pool;
  }

  private static HikariDataSource unbounded(
      String name, int max, JdbcConnectionDetails database, PoolSettings settings) {
    var pool = new HikariDataSource();
    pool.setPoolName(name);
    pool.setJdbcUrl(database.getJdbcUrl());
    pool.setUsername(database.getUsername());
    pool.setPassword(database.getPassword());
    pool.setMaximumPoolSize(max);
    pool.setMinimumIdle(1);
    pool.setIdleTimeout(IDLE_MAX.toMillis());
    pool.setConnectionTimeout(settings.waitMax().toMillis());
    setUp(pool);
    pool.addDataSourceProperty("ApplicationName", "superstep-" + name);
    return pool;
  }

  /// Opens the connections of API calls. The pool behind it waits a few seconds for a free
  /// connection, as long as a caller should wait for a database that is away. While the database
  /// answers, a call that finds all connections in use asks the pool again, for as long as all
  /// pools wait.
  static final class ApiDataSource extends DelegatingDataSource {
    private final Duration waitMax;
    private final BooleanSupplier away;
    private final LongSupplier nanos;
    private final @Nullable TenantConnections tenants;

    /// @param waitMax how long to wait for a free connection while the database answers
    /// @param away whether the database is known to be away
    /// @param tenants null: nobody shares the server
    ApiDataSource(
        DataSource pool,
        Duration waitMax,
        BooleanSupplier away,
        LongSupplier nanos,
        @Nullable TenantConnections tenants) {
      super(pool);
      this.tenants = tenants;
      this.waitMax = waitMax;
      this.away = away;
      this.nanos = nanos;
    }

    @Override
    public Connection getConnection() throws SQLException {
      var connection = pooled();
      return tenants == null ? connection : tenants.prepared(connection);
    }

    private Connection pooled() throws SQLException {
      long begun = nanos.getAsLong();
      while (true) {
        try {
          return super.getConnection();
        } catch (SQLTransientConnectionException e) { // the pool's time is over
          if (away.getAsBoolean() || nanos.getAsLong() - begun >= waitMax.toNanos()) {
            throw e;
          }
        }
      }
    }
  }
}
