package dev.superstep.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.schedule.Replica;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.info.BuildProperties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;

class ServerReportsTests {
  private int connections;

  @Test
  void asksNoDatabaseThatIsKnownToBeAway() {
    var report = reports(Health.down().build(), "superstep").report();

    assertThat(report.databaseReachable()).isFalse();
    assertThat(report.ready()).isFalse();
    assertThat(report.replicas()).isEmpty();
    assertThat(connections).isZero();
  }

  @Test
  void reportsADatabaseThatHasJustGoneAway() {
    var report = reports(Health.up().build(), "superstep").report();

    assertThat(report.databaseReachable()).isFalse();
    assertThat(report.ready()).isFalse();
    assertThat(connections).isOne();
  }

  @Test
  void takesTheVersionOfAnotherProgramForNone() {
    assertThat(reports(Health.up().build(), "superstep").report().version()).contains("1.2.3");
    assertThat(reports(Health.up().build(), "a-shop").report().version()).isEmpty();
  }

  private ServerReports reports(Health database, String artifact) {
    var build = new Properties();
    build.putAll(Map.of("artifact", artifact, "version", "1.2.3"));
    var beans = new StaticListableBeanFactory(Map.of("build", new BuildProperties(build)));
    return new ServerReports(
        beans.getBeanProvider(BuildProperties.class),
        0,
        new Member(),
        () -> database,
        JdbcClient.create(new Away()),
        InstantSource.system());
  }

  private final class Away extends AbstractDataSource {
    @Override
    public Connection getConnection() throws SQLException {
      connections++;
      throw new SQLException("the database is away");
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      return getConnection();
    }
  }

  private static final class Member implements Replica {
    @Override
    public Optional<String> id() {
      return Optional.of("a");
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

    @Override
    public void pollDueRuns() {}
  }
}
