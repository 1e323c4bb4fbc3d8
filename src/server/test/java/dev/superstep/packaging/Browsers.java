package dev.superstep.packaging;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Finds a Chromium, or has Debian's installed where the build may do so: CI must have one.
final class Browsers {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private static final String INSTALL =
      "apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium";

  private static final int MINUTES = 5;
  private static boolean tried;

  private Browsers() {}

  /// The program; the test is skipped where there is none.
  static Path chromium(Path log) throws IOException, InterruptedException {
    var found = look(log);
    assumeThat(found).as("no Chromium here: set CHROMIUM to one (%s)", log).isPresent();
    return found.orElseThrow();
  }

  /// The program, if there is one; the first call tries to install it.
  static synchronized Optional<Path> look(Path log) throws IOException, InterruptedException {
    var found = find();
    if (found.isEmpty() && !tried && mayInstall()) {
      tried = true;
      install(log);
      found = find();
    }
    return found;
  }

  private static Optional<Path> find() {
    var named = System.getenv("CHROMIUM");
    if (named != null && !named.isBlank()) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable);
    }
    return NAMES.stream().flatMap(it -> onThePath(it).stream()).findFirst();
  }

  static Optional<Path> onThePath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(it -> Path.of(it, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static boolean mayInstall() {
    return System.getProperty("user.name").equals("root") && onThePath("apt-get").isPresent();
  }

  private static void install(Path log) throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder("sh", "-c", INSTALL)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
    var process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }
}
