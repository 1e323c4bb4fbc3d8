package dev.superstep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The definitions of the examples that carry tests. Those of pages: [PageGraphsTests].
class ExampleTestsTests {
  private static final Pattern TESTS = Pattern.compile("(?m)^tests:");

  static Stream<Path> examples() throws IOException {
    try (var files = Files.walk(Path.of("examples"))) {
      return files.filter(it -> it.toString().endsWith(".yaml")).sorted().toList().stream()
          .filter(ExampleTestsTests::carriesTests);
    }
  }

  private static boolean carriesTests(Path file) {
    try {
      return TESTS.matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("examples")
  void passTheirTests(Path file) throws IOException {
    requirePassed(Files.readString(file));
  }

  static void requirePassed(String definition) {
    var report = TestedDefinition.run(definition);
    assertThat(report.tests())
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.failures()).as(it.name()).isEmpty());
  }
}
