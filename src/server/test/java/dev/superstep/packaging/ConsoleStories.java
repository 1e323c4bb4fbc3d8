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

/// Plays the stories of `console/e2e` in a Chromium; skips the test where there is none, or no
/// node, or no console in the jar.
final class ConsoleStories {
  private static final Path CONSOLE = Path.of("console");
  private static final int MINUTES = 15;

  private ConsoleStories() {}

  static void assumeBuilt() throws IOException {
    try (var jar = new ZipFile(Installation.packaged().toFile())) {
      assumeThat(jar.getEntry("BOOT-INF/classes/console/index.html"))
          .as("the jar was built without the console; the build says why")
          .isNotNull();
    }
  }

  /// @param folder where the log goes
  /// @param services where the services are, as the stories read it
  /// @param files which stories; none: all
  static void play(Path folder, Map<String, String> services, String... files)
      throws IOException, InterruptedException {
    assumeThat(Browsers.onThePath("node")).as("there is no node on the path").isPresent();
    var runner = CONSOLE.resolve("node_modules/@playwright/test/cli.js");
    assumeThat(runner).as("the console's tools are not installed").exists();
    var browser = Browsers.chromium(folder.resolve("install.log"));
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
            runner.toAbsolutePath().toString(),
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
