package dev.superstep.testing.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Runs the tests that definitions carry, from a test in Java:
///
/// ```java
/// @Test
/// void passesItsTests() {
///   GraphTests.of(Path.of("graph.yaml")).run();
/// }
/// ```
///
/// The jar of the command line runs them in a process of its own, as `java -jar <its jar> test`
/// does. Its place is given by [#jar], or by the system property `superstep.cli`, or by the
/// environment variable `SUPERSTEP_CLI`. Immutable.
public final class GraphTests {
  private static final Duration TIME = Duration.ofMinutes(2);

  private final List<Path> definitions;
  private final List<String> command;
  private final Optional<Path> extensions;

  private GraphTests(List<Path> definitions, List<String> command, Optional<Path> extensions) {
    this.definitions = List.copyOf(definitions);
    this.command = List.copyOf(command);
    this.extensions = extensions;
  }

  /// @param definitions files in YAML or JSON; one at least
  public static GraphTests of(Path... definitions) {
    if (definitions.length == 0) {
      throw new IllegalArgumentException("name a definition");
    }
    return new GraphTests(List.of(definitions), List.of(), Optional.empty());
  }

  /// Uses this jar of the command line.
  public GraphTests jar(Path jar) {
    return new GraphTests(definitions, java(jar.toString()), extensions);
  }

  /// Lets definitions use the functions and processors in the jars of this folder.
  public GraphTests extensions(Path folder) {
    return new GraphTests(definitions, command, Optional.of(folder));
  }

  /// Runs another program in place of the command line.
  GraphTests command(List<String> other) {
    return new GraphTests(definitions, other, extensions);
  }

  /// Runs all tests.
  ///
  /// @throws AssertionError with the report, if a test fails or a definition is wrong
  public void run() {
    var whole = new ArrayList<>(command.isEmpty() ? java(place()) : command);
    extensions.ifPresent(it -> whole.addAll(List.of("--extensions", it.toString())));
    definitions.forEach(it -> whole.add(it.toString()));
    try {
      var report = Files.createTempFile("graph-tests", ".log");
      try {
        run(whole, report);
      } finally {
        Files.delete(report);
      }
    } catch (IOException e) {
      throw new AssertionError("cannot run %s: %s".formatted(whole, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the tests of %s ran".formatted(definitions), e);
    }
  }

  private void run(List<String> whole, Path report) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(whole).redirectErrorStream(true);
    builder.redirectOutput(report.toFile());
    var process = builder.start();
    try {
      if (!process.waitFor(TIME.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(
            "the tests of %s take longer than %d s:\n%s"
                .formatted(definitions, TIME.toSeconds(), Files.readString(report)));
      }
      if (process.exitValue() != 0) {
        throw new AssertionError(
            "the tests of %s failed:\n%s".formatted(definitions, Files.readString(report)));
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> java(String jar) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return List.of(java, "-XX:TieredStopAtLevel=1", "-jar", jar, "test");
  }

  private static String place() {
    var property = System.getProperty("superstep.cli");
    var place = property == null ? System.getenv("SUPERSTEP_CLI") : property;
    if (place == null) {
      throw new IllegalStateException(
          "where is the jar of the command line? say jar(path), or set the system property"
              + " superstep.cli or the environment variable SUPERSTEP_CLI");
    }
    return place;
  }
}
