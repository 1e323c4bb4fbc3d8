package dev.superstep.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.database.TestDatabase;
import dev.superstep.run.stream.LiveEventRelay;
import dev.superstep.schedule.Replica;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// Several processes' worth of runs in one, on one database.
final class TwoReplicas implements AutoCloseable {
  private static final String[] SETTINGS = {
    "--superstep.drain=5s",
    "--superstep.store.patience=2s",
    "--spring.datasource.hikari.connection-timeout=1000",
    "--superstep.pools.wait-max=1s"
  };

  private final JdbcConnectionDetails database;
  private final TestGraphs graphs = new TestGraphs();
  private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
  private final Class<?> application;
  private final String[] settings;

  /// Of the runs alone.
  ///
  /// @param others settings, besides the usual ones or instead of them
  TwoReplicas(String... others) throws Exception {
    this(
        RunsAlone.class,
        Stream.concat(Stream.of("--spring.config.name=" + RunsAlone.SETTINGS), Stream.of(others)));
  }

  TwoReplicas(Class<?> application, Stream<String> others) throws Exception {
    this.application = application;
    database = TestDatabase.migrated();
    var byName = new LinkedHashMap<String, String>();
    Stream.concat(Stream.of(SETTINGS), others)
        .forEach(it -> byName.put(it.substring(0, it.indexOf('=')), it));
    settings = byName.values().toArray(String[]::new);
  }

  /// Keeps test classes out of the scan for components.
  private static final class NoTests extends TypeExcludeFilter {
    @Override
    public boolean match(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
      var path = reader.getResource().getURL().getPath();
      return path.contains("/test-classes/") || path.contains("-tests.jar!");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof NoTests;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  TestGraphs graphs() {
    return graphs;
  }

  /// Starts one more replica.
  ConfigurableApplicationContext start() {
    var context =
        new SpringApplicationBuilder(application)
            .initializers(it -> {
              var beans = (GenericApplicationContext) it;
              it.getBeanFactory().registerSingleton("noTests", new NoTests());
              beans.registerBean(JdbcConnectionDetails.class, () -> database);
              beans.registerBean(TestGraphs.class, () -> graphs, bean -> bean.setPrimary(true));
            })
            .run(settings);
    contexts.add(context);
    return context;
  }

  /// The database, whoever runs.
  JdbcClient jdbc() {
    return JdbcClient.create(
        new DriverManagerDataSource(
            database.getJdbcUrl(),
            Objects.requireNonNull(database.getUsername()),
            Objects.requireNonNull(database.getPassword())));
  }

  RunActions on(ConfigurableApplicationContext context) {
    return new RunActions(
        graphs,
        context.getBean(RunService.class),
        context.getBean(RunQueries.class),
        context.getBean(ThreadQueries.class),
        context.getBean(RunWatch.class),
        context.getBean(JdbcClient.class));
  }

  /// Cuts a replica off from the database, for ever: for the others it is as good as dead.
  static void cutOff(ConfigurableApplicationContext context) {
    context.getBeansOfType(DataSource.class).values().forEach(TwoReplicas::close);
  }

  /// Takes the connections of API calls from a replica, for ever: its drivers commit what they are
  /// at, and can tell nobody.
  static void cutCallsOff(ConfigurableApplicationContext context) {
    close(context.getBean("dataSource", DataSource.class));
  }

  private static void close(DataSource pool) {
    try {
      if (pool.isWrapperFor(HikariDataSource.class)) {
        pool.unwrap(HikariDataSource.class).close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Starts two, and waits until both are members.
  List<ConfigurableApplicationContext> startTwo() {
    var both = List.of(start(), start());
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> both.stream().allMatch(TwoReplicas::hasJoined));
    return both;
  }

  /// Whether the replica knows that somebody elsewhere listens to the run.
  static boolean isHeardElsewhere(ConfigurableApplicationContext replica, String run) {
    return replica.getBean(LiveEventRelay.class).watches(run);
  }

  static boolean hasJoined(ConfigurableApplicationContext context) {
    return context.getBean(Replica.class).id().isPresent();
  }

  @Override
  public void close() {
    contexts.reversed().forEach(ConfigurableApplicationContext::close);
  }
}
