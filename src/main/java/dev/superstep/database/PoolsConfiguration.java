package dev.superstep.database;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/// The pools beside the primary one. None of them is a default candidate: Spring Boot makes the
/// primary one as if they were not there.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PoolSettings.class)
class PoolsConfiguration {
  private static final Duration IDLE_MAX = Duration.ofMinutes(1);

  /// The driver keeps plans, and a plan that was made while a table was small would read all of it
  /// for every batch of rows by key until the server analyzes the table. Everything on these
  /// connections goes by key: an index is always right, and its pages are in memory.
  private static final String BY_KEY = "set random_page_cost = 0.01";

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.ENGINE)
  DataSource enginePool(JdbcConnectionDetails database, PoolSettings settings) {
    return pool(Pools.ENGINE, settings.engineMax(), database, settings);
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
  DataSource commitsPool(JdbcConnectionDetails database, PoolSettings settings) {
    return pool(Pools.COMMITS, settings.commitsMax(), database, settings);
  }

  @Bean(defaultCandidate = false)
  @Qualifier(Pools.SCHEDULER)
  DataSource schedulerPool(JdbcConnectionDetails database, PoolSettings settings) {
    return pool(Pools.SCHEDULER, settings.schedulerMax(), database, settings);
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

  /// Silence on it is what is usual.
  @Bean(defaultCandidate = false)
  @Qualifier(Pools.LISTENER)
  DataSource listenerPool(JdbcConnectionDetails database, PoolSettings settings) {
    var pool = unbounded(Pools.LISTENER, settings.listenerMax(), database, settings);
    pool.setMinimumIdle(0);
    return pool;
  }

  private static DataSource pool(
      String name, int max, JdbcConnectionDetails database, PoolSettings settings) {
    var pool = unbounded(name, max, database, settings);
    pool.addDataSourceProperty("socketTimeout", settings.silenceMax().toSeconds());
    pool.setConnectionInitSql(BY_KEY);
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
    pool.addDataSourceProperty("tcpKeepAlive", true);
    pool.addDataSourceProperty("ApplicationName", "superstep-" + name);
    return pool;
  }
}
