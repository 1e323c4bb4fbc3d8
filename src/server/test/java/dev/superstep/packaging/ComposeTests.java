package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What can be said about the compose file without a container engine.
class ComposeTests {
  private static final Path FILE = Path.of("docker-compose.yml");
  private static final Pattern MOUNTED = Pattern.compile("- (\\./[^:]+):");
  private static final Pattern IMAGE = Pattern.compile("image: (?:\\$\\{\\w+:-)?([^}\\s]+)");

  /// An engine makes a folder of what is missing, and the service in it fails to start.
  @Test
  void mountsOnlyWhatIsThere() throws IOException {
    var mounted = all(MOUNTED);

    assertThat(mounted).hasSizeGreaterThan(3);
    assertThat(mounted).allSatisfy(it -> assertThat(Path.of(it)).exists());
  }

  @Test
  void namesAVersionOfEachImage() throws IOException {
    assertThat(all(IMAGE)).hasSize(5).allMatch(it -> it.matches(".+:[^:]*\\w"));
    assertThat(all(IMAGE)).noneMatch(it -> it.endsWith(":latest"));
  }

  /// What runs wild takes neither the memory nor the disk of the others.
  @Test
  void boundsWhatEachServiceMayUse() throws IOException {
    for (var bound : List.of("mem_limit: (\\d+[mg])", "pids_limit: (\\d+)", "logging: (\\*\\w+)")) {
      assertThat(all(Pattern.compile("\n    " + bound))).as(bound).hasSameSizeAs(all(IMAGE));
    }
  }

  @Test
  void publishesOnThisMachineOnly() throws IOException {
    assertThat(all(Pattern.compile("- \"(\\S*:\\d+:\\d+|\\d+:\\d+)\"")))
        .hasSizeGreaterThan(3)
        .allMatch(it -> it.startsWith("127.0.0.1:"));
  }

  @Test
  void provisionsADashboardThatIsJson() throws IOException {
    var dashboard =
        Json.read(Files.readString(Path.of("helm/superstep/dashboards/superstep.json")));

    assertThat(Pointer.find(dashboard, "/panels/1/targets/0/expr")).isPresent();
    assertThat(
            Pointer.find(
                Yaml.read(Files.readString(Path.of("compose/prometheus.yml"))),
                "/scrape_configs/0/metrics_path"))
        .isPresent();
  }

  private static List<String> all(Pattern pattern) throws IOException {
    return pattern.matcher(Files.readString(FILE)).results().map(it -> it.group(1)).toList();
  }
}
