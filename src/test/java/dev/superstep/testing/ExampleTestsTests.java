package dev.superstep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The definitions that carry tests: those of the examples, and of the page about tests.
class ExampleTestsTests {
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
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

  @Test
  void passOnThePageAboutTests() throws IOException {
    var page = YAML.matcher(Files.readString(Path.of("docs/testing.md")));
    assertThat(page.find()).isTrue();
    requirePassed(page.group(1));
  }

  private static void requirePassed(String definition) {
    var report = TestedDefinition.run(definition);
    assertThat(report.tests())
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.failures()).as(it.name()).isEmpty());
  }
}
