package dev.superstep.server;

import dev.superstep.schedule.Replica;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.info.BuildProperties;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reports on this server. A report costs one short query, and none while the database is away, so
/// that a page may ask for it every few seconds.
@Component
public class ServerReports {
  private static final String ARTIFACT = "superstep";

  private final Optional<String> version;
  private final int cell;
  private final Replica replica;
  private final HealthIndicator database;
  private final JdbcClient jdbc;
  private final InstantSource clock;

  /// @param build optional; within an application it may be that of the application
  ServerReports(
      ObjectProvider<BuildProperties> build,
      @Value("${superstep.cell:0}") int cell,
      Replica replica,
      @Qualifier("dbHealthContributor") HealthIndicator database,
      JdbcClient jdbc,
      InstantSource clock) {
    this.version =
        build.stream()
            .filter(it -> ARTIFACT.equals(it.getArtifact()))
            .findFirst()
            .map(BuildProperties::getVersion);
    this.cell = cell;
    this.replica = replica;
    this.database = database;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  public ServerReport report() {
    var replicas = replicas();
    boolean reachable = replicas.isPresent();
    boolean ready = reachable && !replica.leaving() && replica.id().isPresent();
    return new ServerReport(version, cell, clock.instant(), ready, reachable, replicas);
  }

  private Optional<Integer> replicas() {
    var health = database.health();
    if (health == null || !health.getStatus().equals(Status.UP)) {
      return Optional.empty();
    }
    try {
      return Optional.of(jdbc.sql("select count(*) from replica").query(Integer.class).single());
    } catch (DataAccessException _) {
      return Optional.empty(); // it went away since it was last watched, and the report says so
    }
  }
}
