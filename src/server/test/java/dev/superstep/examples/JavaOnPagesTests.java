package dev.superstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What pages have readers compile or start with Java. The default JDK may be 17, says the README.
class JavaOnPagesTests {
  private static final String OLDEST = "17";
  private static final Pattern STARTED = Pattern.compile("java (examples/\\S+\\.java)");
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>superstep(?:-[a-z]+)?</artifactId>\\s*<version>([^<]+)");
  private static final Path EXTENSIONS = Path.of("docs/extensions.md");
  private static final Path KIT = Path.of("docs/testing-in-java.md");
  private static final Path EMBEDDING = Path.of("docs/embedding.md");
  private static final Path TUTORIAL = Path.of("docs/tutorial.md");
  private static final Path PROJECT = Path.of("examples/context-merge/pom.xml");

  @TempDir Path folder;

  @Test
  void startsProgramsThatTheOldestJdkRuns() throws IOException {
    var programs = new TreeSet<String>();
    for (var page : pages()) {
      STARTED.matcher(Files.readString(page)).results().forEach(it -> programs.add(it.group(1)));
    }

    assertThat(programs).contains("examples/flaky-http/FlakyServer.java");
    for (var program : programs) {
      var compiler = ToolProvider.getSystemJavaCompiler();
      assertThat(
              compiler.run(null, null, null, "--release", OLDEST, "-d", folder.toString(), program))
          .as(program)
          .isZero();
    }
  }

  @Test
  void showsTheSampleOfNodeFunction() throws IOException {
    var sample =
        ExampleExtension.sample(
            Path.of("src/nodes/main/java/dev/superstep/node/NodeFunction.java"));

    assertThat(Files.readString(EXTENSIONS)).contains("```java\n" + sample + "```\n");
  }

  @Test
  void showsATestThatRuns() throws IOException {
    var test =
        Files.readString(Path.of("src/server/test/java/dev/superstep/examples/TripTests.java"));
    var shown = test.substring(test.indexOf("import static"));

    assertThat(Files.readString(KIT)).contains("```java\n" + shown + "```\n");
  }

  @Test
  void namesTheVersionsOfThisBuild() throws IOException {
    var version = versions(Path.of("pom.xml")).getFirst();
    for (var page : List.of(KIT, EMBEDDING, EXTENSIONS, PROJECT)) {
      assertThat(versions(page)).as("%s", page).isNotEmpty().containsOnly(version);
    }
    assertThat(Files.readString(TUTORIAL)).contains("target/superstep-%s.jar".formatted(version));
  }

  private static List<String> versions(Path page) throws IOException {
    return VERSION.matcher(Files.readString(page)).results().map(it -> it.group(1)).toList();
  }

  private static List<Path> pages() throws IOException {
    var pages = new ArrayList<>(List.of(Path.of("README.md")));
    for (var root : List.of("docs", "examples")) {
      try (var files = Files.walk(Path.of(root))) {
        files.filter(it -> it.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
  }
}
