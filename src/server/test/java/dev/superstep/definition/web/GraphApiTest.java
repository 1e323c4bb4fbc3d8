package dev.superstep.definition.web;

import dev.superstep.checkpoint.Retries;
import dev.superstep.database.TestDatabase;
import dev.superstep.definition.ActiveRuns;
import dev.superstep.definition.ServerLimits;
import dev.superstep.definition.StorageQuota;
import dev.superstep.model.ModelPace;
import dev.superstep.model.SpendingGate;
import dev.superstep.problem.Callers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;

/// A test of the graph calls over HTTP, with everything behind them and nothing of runs.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    classes = GraphApiTest.Application.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "superstep.definitions.bytes-max=200000",
      "superstep.definitions.expressions-max=300",
      "management.server.port=0",
      // There are no runs here, and so no replica to ask for its health.
      "management.endpoint.health.validate-group-membership=false"
    })
@Import(TestDatabase.class)
@interface GraphApiTest {

  /// Not a `@Configuration`: the component scan of other tests must not find it.
  @EnableAutoConfiguration
  @ConfigurationPropertiesScan("dev.superstep")
  @AutoConfigurationPackage(basePackages = "dev.superstep")
  @ComponentScan(
      basePackages = {
        "dev.superstep.compute",
        "dev.superstep.definition",
        "dev.superstep.expression",
        "dev.superstep.http",
        "dev.superstep.idempotency",
        "dev.superstep.json",
        "dev.superstep.model",
        "dev.superstep.node",
        "dev.superstep.problem",
        "dev.superstep.prompt",
        "dev.superstep.secret",
        "dev.superstep.security",
        "dev.superstep.testing"
      },
      // Leaves out the configurations of other tests, as Boot's own scan does, and keys that are
      // kept, people who sign in and refusals that are recorded, which need a replica, and tokens
      // of runs.
      excludeFilters = {
        @Filter(type = FilterType.CUSTOM, classes = TypeExcludeFilter.class),
        @Filter(
            type = FilterType.REGEX,
            pattern =
                ".*\\.(ActingCallers|KeyController|KeyRows|RefusedCalls|SignIn[A-Z].*|StoredKeys|SubjectTokens)")
      })
  @ComponentScan(
      basePackages = "dev.superstep.audit",
      useDefaultFilters = false,
      includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.AuditLog"))
  @ComponentScan(
      basePackages = "dev.superstep.database",
      useDefaultFilters = false,
      includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.OwnThings"))
  @ComponentScan(
      basePackages = "dev.superstep.checkpoint.row",
      useDefaultFilters = false,
      includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.StoredCallCounts"))
  class Application {

    @Bean
    ServerLimits serverLimits() {
      return new ServerLimits(1_000, 256, 100_000, Duration.ofDays(30));
    }

    @Bean
    InstantSource clock() {
      return InstantSource.system();
    }

    /// For the counts of tool calls, which are written by runs only.
    @Bean
    Retries retries() {
      return new Retries(Duration.ofSeconds(5));
    }

    /// There are no runs, with which stored bytes are counted.
    @Bean
    StorageQuota storageQuota(Callers callers) {
      return _ -> callers.current();
    }

    /// Nothing runs that could spend something.
    @Bean
    SpendingGate spendingGate() {
      return SpendingGate.OPEN;
    }

    @Bean
    ModelPace modelPace() {
      return ModelPace.NONE;
    }

    @Bean
    BusyGraphs busyGraphs() {
      return new BusyGraphs();
    }
  }

  /// Graphs that are said to have active runs.
  class BusyGraphs implements ActiveRuns {
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    void add(String graph) {
      busy.add(graph);
    }

    @Override
    public long countActive(String graph) {
      return busy.contains(graph) ? 1 : 0;
    }
  }
}
