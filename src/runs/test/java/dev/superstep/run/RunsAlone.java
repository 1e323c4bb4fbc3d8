package dev.superstep.run;

import dev.superstep.database.UnparsedQueries;
import dev.superstep.definition.read.TestRunner;
import dev.superstep.problem.Callers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/// The modules from the kernel to the runs as an application, with what modules above give them.
@EnableAutoConfiguration
@AutoConfigurationPackage(basePackages = RunsAlone.ALL)
@ComponentScan(
    basePackages = RunsAlone.ALL,
    excludeFilters =
        @ComponentScan.Filter(type = FilterType.CUSTOM, classes = TypeExcludeFilter.class))
@ConfigurationPropertiesScan(RunsAlone.ALL)
@EnableJpaRepositories(basePackages = RunsAlone.ALL, queryEnhancerSelector = UnparsedQueries.class)
public class RunsAlone {
  static final String ALL = "dev.superstep";

  /// The name of the file with its settings.
  static final String SETTINGS = "runs-alone";

  @Bean
  MeterRegistry meterRegistry() {
    return new SimpleMeterRegistry();
  }

  @Bean
  TestCallers callers() {
    return new TestCallers();
  }

  /// Tests of definitions are of the test kit.
  @Bean
  TestRunner testRunner() {
    return graph -> {
      throw new IllegalStateException("no tests are run here: " + graph);
    };
  }

  /// There are no keys: a test says who calls.
  public static final class TestCallers implements Callers {
    private static final ThreadLocal<String> CURRENT = ThreadLocal.withInitial(() -> EVERYBODY);

    /// Makes a call in the name of a caller.
    public static <T> T as(String caller, Supplier<T> call) {
      CURRENT.set(caller);
      try {
        return call.get();
      } finally {
        CURRENT.remove();
      }
    }

    @Override
    public String current() {
      return CURRENT.get();
    }

    @Override
    public void requireAnswering() {}

    @Override
    public BooleanSupplier ended() {
      return () -> false;
    }
  }
}
