package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

/// Clients generated from the committed document by the settings that a reader begins with: they
/// compile. Maven generates them into `target/clients` (`pom.xml`, `client-…`).
class ClientsIT {
  private static final Path CLIENTS = Path.of("target/clients");
  private static final Path CHECKS = Path.of("src/test/clients/typescript");
  private static final Pattern UNREACHABLE =
      Pattern.compile("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED");

  @Test
  void compilesTheNativeJavaClient() throws IOException {
    var arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-Xlint:none"));
    arguments.addAll(List.of("-d", Files.createDirectories(CLIENTS.resolve("classes")).toString()));
    arguments.addAll(List.of("-cp", classPath()));
    try (var sources = Files.walk(CLIENTS.resolve("java-native/src/main/java"))) {
      sources.map(Path::toString).filter(it -> it.endsWith(".java")).forEach(arguments::add);
    }

    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
  }

  /// openapi-typescript and the generator `typescript-fetch`, both compiled strictly.
  @Test
  void compilesTheTypeScriptClients() throws Exception {
    needs("node");
    needs("npm");
    var folder = CLIENTS.resolve("typescript-checks");
    FileSystemUtils.copyRecursively(CHECKS, Files.createDirectories(folder));
    var installed = run(folder, "npm", "ci", "--prefer-offline", "--ignore-scripts");
    assumeThat(UNREACHABLE.matcher(installed.output()).results())
        .as("the npm registry cannot be reached: %s", installed.output())
        .isEmpty();
    installed.succeeded();
    var tools = Path.of("node_modules", ".bin");
    run(
            folder,
            tools.resolve("openapi-typescript").toString(),
            Path.of("docs/openapi.yaml").toAbsolutePath().toString(),
            "--output",
            "schema.d.ts")
        .succeeded();

    run(folder, tools.resolve("tsc").toString(), "--project", ".").succeeded();
  }

  /// Without its dependencies, so that none has to be fetched: its syntax, and no import.
  @Test
  void compilesThePythonClient() throws Exception {
    needs("python3");

    run(CLIENTS.resolve("python"), "python3", "-m", "compileall", "-q", "-f", ".").succeeded();
  }

  private static void needs(String tool) {
    assumeThat(Stream.of(System.getenv("PATH").split(":")))
        .as("there is no %s on the path", tool)
        .anyMatch(it -> Files.isExecutable(Path.of(it, tool)));
  }

  private record Ended(List<String> command, int code, String output) {
    void succeeded() {
      assertThat(code).as("%s:%n%s", command, output).isZero();
    }
  }

  private static Ended run(Path folder, String... command)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("%s does not end:%n%s".formatted(List.of(command), output));
    }
    return new Ended(List.of(command), process.exitValue(), output);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
