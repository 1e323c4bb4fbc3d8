package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// How the build makes the console where there is no node: Maven and npm are scripts that do what
/// their counterparts do to files.
@DisabledOnOs(OS.WINDOWS)
class ConsoleBuildTests {
  private static final String FETCHES =
      """
      /bin/mkdir -p target/node
      printf '#!/bin/sh\\necho v22.12.0\\n' > target/node/node
      printf '#!/bin/sh\\n/bin/mkdir -p dist\\necho page > dist/index.html\\n' > target/node/npm
      /bin/chmod +x target/node/node target/node/npm
      """;

  @TempDir private Path project;

  @BeforeEach
  void hasSources() throws IOException {
    write("console/package-lock.json", "{}");
    write("console/src/main.tsx", "");
    write("console/public/icon.svg", "");
    write("console/e2e/stories.spec.ts", "");
    write("docs/openapi.yaml", "");
    Files.createDirectories(project.resolve("console/node_modules"));
  }

  private Path write(String name, String text) throws IOException {
    var file = project.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /// @return what it printed
  private String build(String maven) throws Exception {
    return run("build", maven);
  }

  private String run(String command, String maven) throws Exception {
    var program = write("maven/bin/mvn", "#!/bin/sh\n" + maven);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    var log = project.resolve("log");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var source = Path.of("src/server/build/Console.java").toAbsolutePath().toString();
    var builder =
        new ProcessBuilder(java, source, command, ".", "target", project + "/maven")
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("PATH", project.resolve("nothing").toString());
    builder.environment().remove("CI");
    var process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    return Files.readString(log);
  }

  @Test
  void usesTheNodeThatMavenFetches() throws Exception {
    var printed = build(FETCHES);

    assertThat(project.resolve("target/classes/console/index.html")).hasContent("page");
    assertThat(printed).contains("Maven fetches one");
  }

  @Test
  void goesOnWithoutTheConsoleWhereNoneCanBeFetched() throws Exception {
    var printed = build("exit 1\n");

    assertThat(project.resolve("target/classes/console/index.html")).doesNotExist();
    assertThat(project.resolve("target/classes/console/missing.txt"))
        .content()
        .contains("nor could be fetched");
    assertThat(printed).contains("The service will have no console");
  }

  @Test
  void takesWhatWasMadeAhead() throws Exception {
    run("ahead", FETCHES);
    assertThat(project.resolve("target/classes/console")).doesNotExist();
    hasNpmThatMakes("another page");

    build("exit 1\n");

    assertThat(project.resolve("target/classes/console/index.html")).hasContent("page");
  }

  @Test
  void makesAnewWhatWasMadeAheadOfOtherSources() throws Exception {
    run("ahead", FETCHES);
    hasNpmThatMakes("another page");
    write("console/src/main.tsx", "changed");

    build("exit 1\n");

    assertThat(project.resolve("target/classes/console/index.html")).hasContent("another page");
  }

  private void hasNpmThatMakes(String page) throws IOException {
    write("target/node/npm", "#!/bin/sh\necho %s > dist/index.html\n".formatted(page));
  }
}
