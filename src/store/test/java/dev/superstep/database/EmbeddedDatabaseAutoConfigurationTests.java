package dev.superstep.database;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class EmbeddedDatabaseAutoConfigurationTests {

  @TempDir Path folder;

  private ApplicationContextRunner context() {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(EmbeddedDatabaseAutoConfiguration.class))
        .withPropertyValues("superstep.data-dir=" + folder);
  }

  @Test
  void startsWhereNoServerIsConfigured() {
    context()
        .withPropertyValues("spring.datasource.url=")
        .run(it -> assertThat(it).hasSingleBean(EmbeddedDatabase.class));
  }

  @Test
  void leavesAConfiguredServerAlone() {
    context()
        .withPropertyValues("spring.datasource.url=jdbc:postgresql://db/superstep")
        .run(it -> assertThat(it).doesNotHaveBean(EmbeddedDatabase.class));
  }

  @Test
  void givesWayToConnectionDetailsOfTheApplication() {
    context()
        .withUserConfiguration(TestDatabase.class)
        .run(it ->
            assertThat(it.getBean(JdbcConnectionDetails.class))
                .isNotInstanceOf(EmbeddedDatabase.class));
  }

  @Test
  void refusesToStartInProduction() {
    context()
        .withPropertyValues("spring.profiles.active=prod")
        .run(it -> {
          Throwable failure = Objects.requireNonNull(it.getStartupFailure());
          assertThat(failure).hasRootCauseInstanceOf(EmbeddedDatabaseException.class);
          assertThat(new EmbeddedDatabaseFailureAnalyzer().analyze(failure))
              .extracting(FailureAnalysis::getAction, as(InstanceOfAssertFactories.STRING))
              .contains("SPRING_DATASOURCE_URL");
        });
  }
}
