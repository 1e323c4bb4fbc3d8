package dev.superstep.bench;

import dev.superstep.SuperstepApplication;
import dev.superstep.bench.function.WorkloadFunctions;
import dev.superstep.definition.AuthorText;
import dev.superstep.definition.read.DefinitionText;
import dev.superstep.definition.store.Definitions;
import dev.superstep.run.InterruptFilter;
import dev.superstep.run.Page;
import dev.superstep.run.RunProgress;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.run.RunView;
import dev.superstep.run.RunWatch;
import dev.superstep.run.StartRun;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/// The whole service in this JVM. Calls go to its services past HTTP.
final class LocalService implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final ConfigurableApplicationContext context;
  private final RunService runs;
  private final RunWatch watch;
  private final RunQueries queries;

  private LocalService(ConfigurableApplicationContext context) {
    this.context = context;
    runs = context.getBean(RunService.class);
    watch = context.getBean(RunWatch.class);
    queries = context.getBean(RunQueries.class);
  }

  /// Keeps tests and benchmarks out of the scan for components.
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

  static LocalService start(Sql database) {
    var url = PgUrl.of(database.url());
    var application =
        new SpringApplicationBuilder(SuperstepApplication.class, WorkloadFunctions.class)
            .initializers(it -> it.getBeanFactory().registerSingleton("noTests", new NoTests()))
            .properties(ServiceSettings.asMap());
    return new LocalService(
        application.run(
            "--spring.main.banner-mode=off",
            "--server.port=0",
            "--management.server.port=-1",
            "--spring.datasource.url=" + database.url().replaceFirst("\\?.*", ""),
            "--spring.datasource.username=" + url.user(),
            "--spring.datasource.password=" + url.password()));
  }

  void post(String definition) {
    context
        .getBean(Definitions.class)
        .post(
            new DefinitionText(
                definition.getBytes(StandardCharsets.UTF_8), AuthorText.Format.YAML));
  }

  int port() {
    return Integer.parseInt(
        Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port")));
  }

  /// Starts a run and waits until it is at rest.
  ///
  /// @return its id
  String run(String graph, ObjectValue input) throws InterruptedException {
    var started =
        runs.start(
            new StartRun(
                graph,
                Optional.empty(),
                input,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                StartRun.Options.DEFAULT));
    await(started.run(), started.progress());
    return started.run();
  }

  /// As the answer over HTTP comes about.
  private void await(String run, Optional<RunProgress> progress) throws InterruptedException {
    var seen = progress.isPresent() ? progress.get().await(PATIENCE) : Optional.empty();
    if (seen.isEmpty()) {
      watch.awaitRest(run, PATIENCE);
    }
  }

  /// Answers the only question of a run and waits until it is at rest again.
  void answer(String interrupt, String run) throws InterruptedException {
    await(run, runs.answer(interrupt, Value.of("yes")).progress());
  }

  String interrupt(String run) {
    return queries
        .interrupts(InterruptFilter.of(run), Page.Request.first(1))
        .items()
        .getFirst()
        .id();
  }

  RunView view(String run) {
    return queries.run(run);
  }

  /// The number in a channel of a run's last state.
  ///
  /// @throws IllegalStateException unless it is `expected`
  void check(String run, String channel, long expected) {
    var found = queries.state(run, Optional.empty()).state().get(channel);
    if (!(found instanceof Value.Int(var number)) || number != expected) {
      throw new IllegalStateException(
          "%s of run %s is %s, not %d: %s"
              .formatted(channel, run, found, expected, queries.summary(run).standing()));
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
