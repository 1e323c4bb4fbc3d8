package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.fault.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/// Plays the stories of `console/e2e` in a Chromium.
final class ConsoleStories {
  private static final Path CONSOLE = Path.of("console");
  private static final Path RUNNER = CONSOLE.resolve("node_modules/@playwright/test/cli.js");
  private static final int MINUTES = 15;

  private ConsoleStories() {}

  static void assumeBuilt() throws IOException {
    try (var jar = new ZipFile(Installation.packaged().toFile())) {
      assumeThat(jar.getEntry("BOOT-INF/classes/console/index.html"))
          .as("the jar was built without the console; the build says why")
          .isNotNull();
    }
  }

  /// Skips the test where there is no Chromium, no node, or no console in the jar: before it starts
  /// services for them.
  ///
  /// @param folder where the log goes
  static Path browser(Path folder) throws IOException, InterruptedException {
    assumeBuilt();
    assumeThat(Browsers.onThePath("node")).as("there is no node on the path").isPresent();
    assumeThat(RUNNER).as("the console's tools are not installed").exists();
    return Browsers.chromium(folder.resolve("install.log"));
  }

  /// @param folder where the log goes
  /// @param services where the services are, as the stories read it
  /// @param files which stories; none: all
  static void play(Path folder, Path browser, Map<String, String> services, String... files)
      throws IOException, InterruptedException {
    var log = folder.resolve("stories.log");

    // Each has a folder of its own, which it empties first: stories may be played side by side.
    var pictures =
        Path.of(
            "target",
            "console-e2e",
            files.length == 0 ? "all" : Path.of(files[0]).getFileName().toString());
    var command =
        List.of(
            "node",
            RUNNER.toAbsolutePath().toString(),
            "test",
            "--output",
            pictures.toAbsolutePath().toString());
    var builder =
        new ProcessBuilder(Stream.concat(command.stream(), Arrays.stream(files)).toList())
            .directory(CONSOLE.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("CHROMIUM", browser.toString());
    builder.environment().putAll(services);
    var stories = builder.start();
    stories.getOutputStream().close();
    if (!stories.waitFor(MINUTES, TimeUnit.MINUTES)) {
      stories.descendants().forEach(ProcessHandle::destroyForcibly);
      stories.destroyForcibly().waitFor();
    }

    assertThat(stories.exitValue()).as(Files.readString(log)).isZero();
  }
}
