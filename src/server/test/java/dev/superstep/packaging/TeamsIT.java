package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.examples.Walkthrough;
import dev.superstep.fault.Installation;
import dev.superstep.fault.Replica;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/// What the page for operators of several teams has one do, by hand, with the settings beside it.
class TeamsIT {
  private static final Path EXAMPLE = Path.of("examples/teams");
  private static final String OPERATOR = "operator-of-teams-0123456789abcdef";
  private static final Pattern FUNCTIONS = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

  @Test
  void keepsTeamsApartAsThePageSays(@TempDir Path folder) throws Exception {
    FileSystemUtils.copyRecursively(EXAMPLE, folder.resolve(EXAMPLE));
    Files.writeString(folder.resolve("operator.key"), OPERATOR);
    var settings = new HashMap<>(TestDatabase.environment(TestDatabase.migrated()));
    settings.put("SUPERSTEP_API_KEYS", OPERATOR);
    settings.put(
        "SPRING_CONFIG_ADDITIONAL_LOCATION",
        folder.resolve(EXAMPLE).resolve("application.yaml").toString());
    var page = EXAMPLE.resolve("README.md");
    var functions = FUNCTIONS.matcher(Files.readString(page));
    assertThat(functions.find()).isTrue();
    try (var service = new Replica(folder, Installation.shared().command(), settings)) {
      service.start();
      service.awaitReady();
      Walkthrough.read(page).run(folder, "http://127.0.0.1:" + service.port(), functions.group(1));
    }
  }
}
