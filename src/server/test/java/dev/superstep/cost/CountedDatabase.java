package dev.superstep.cost;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/// A PostgreSQL of its own that counts what is asked of it. Nothing else uses it, and neither
/// autovacuum nor a checkpoint of the server comes in between.
@TestConfiguration(proxyBeanMethods = false)
class CountedDatabase {

  @Bean(destroyMethod = "close")
  EmbeddedPostgres countedServer() throws IOException {
    var server =
        EmbeddedPostgres.builder()
            .setLocaleConfig("locale", "C.UTF-8")
            .setServerConfig("listen_addresses", "127.0.0.1")
            .setServerConfig("unix_socket_directories", "")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("fsync", "on")
            .setServerConfig("full_page_writes", "off")
            .setServerConfig("autovacuum", "off")
            .setServerConfig("checkpoint_timeout", "1h")
            .setServerConfig("wal_writer_delay", "10s")
            .setServerConfig("shared_preload_libraries", "pg_stat_statements")
            .setServerConfig("pg_stat_statements.track_planning", "on")
            .setRegisterShutdownHook(false)
            .start();
    JdbcClient.create(server.getPostgresDatabase())
        .sql("create extension pg_stat_statements")
        .update();
    return server;
  }

  @Bean(destroyMethod = "close")
  CountingProxy countingProxy(EmbeddedPostgres server) throws IOException {
    return CountingProxy.before(server.getPort());
  }

  @Bean
  JdbcConnectionDetails countedConnectionDetails(CountingProxy proxy) {
    return new Through(proxy.port());
  }

  @Bean
  Meter meter(EmbeddedPostgres server, CountingProxy proxy, ListableBeanFactory beans)
      throws SQLException {
    var connection = server.getPostgresDatabase().getConnection();
    return new Meter(
        JdbcClient.create(new SingleConnectionDataSource(connection, true)),
        proxy,
        () -> beans.getBeansOfType(DataSource.class).values());
  }

  private record Through(int port) implements JdbcConnectionDetails {
    @Override
    public String getJdbcUrl() {
      return "jdbc:postgresql://127.0.0.1:%d/postgres?sslmode=disable".formatted(port);
    }

    @Override
    public String getUsername() {
      return "postgres";
    }

    @Override
    public String getPassword() {
      return "";
    }
  }
}
