package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.fault.Installation;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.json.JsonMapper;

/// Clients that were made for the LangGraph Agent Server, unmodified, in front of the packaged
/// service: the SDK in two versions, React's `useStream`, the requests of Python's client, and
/// Agent Chat UI in a browser. The scripts are in `src/server/test/langgraph`.
@TestInstance(Lifecycle.PER_CLASS)
@Order(Integer.MAX_VALUE - 2)
class LangGraphClientsIT {
  private static final Path SOURCES = Path.of("src/server/test/langgraph");
  private static final Path FOLDER = Installation.packaged().resolveSibling("langgraph");
  private static final Path INSTALL_LOG = FOLDER.resolve("install.log");
  private static final Path CHAT = FOLDER.resolve("chat");
  private static final Set<String> LEFT_OUT = Set.of("node_modules", "reference", "server", "app");
  private static final int MINUTES = 10;

  private static final Pattern UNREACHABLE =
      Pattern.compile("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED");

  /// Agent Chat UI is put together while the other clients are at work, if there is a browser for
  /// it.
  private final Optional<Process> chat;

  LangGraphClientsIT() throws IOException, InterruptedException {
    assumeThat(Browsers.onThePath("node")).as("there is no node on the path").isPresent();
    assumeThat(Browsers.onThePath("npm")).as("there is no npm on the path").isPresent();
    FileSystemUtils.deleteRecursively(FOLDER);
    copy(SOURCES, Files.createDirectories(FOLDER));
    chat =
        Browsers.look(INSTALL_LOG).isEmpty()
            ? Optional.empty()
            : Optional.of(
                start(
                    CHAT,
                    "npm install --no-save --prefer-offline --ignore-scripts && node build.mjs",
                    Map.of()));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (LEFT_OUT.contains(folder.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(folder).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, to.resolve(from.relativize(file).toString()));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @BeforeAll
  void installs() throws Exception {
    ends(start(FOLDER, "npm ci --prefer-offline --ignore-scripts", Map.of()), FOLDER);
  }

  @AfterAll
  void leavesNothingBehind() {
    chat.ifPresent(it -> {
      it.descendants().forEach(ProcessHandle::destroyForcibly);
      it.destroyForcibly();
    });
  }

  @Test
  @Timeout(value = MINUTES + 1, unit = TimeUnit.MINUTES)
  void answersTheSdksAndTheirHook() throws Exception {
    ends(clients("chat sdk react python kill"), FOLDER);
  }

  @Test
  @Timeout(value = 2 * MINUTES + 1, unit = TimeUnit.MINUTES)
  void answersAgentChatUi() throws Exception {
    var browser = Browsers.chromium(INSTALL_LOG);
    ends(chat.orElseThrow(), CHAT);
    ends(clients("ui", Map.of("CHROMIUM", browser.toString())), FOLDER);
  }

  private static Process clients(String files) throws Exception {
    return clients(files, Map.of());
  }

  private static Process clients(String files, Map<String, String> more) throws Exception {
    var json = JsonMapper.shared();
    var variables = new HashMap<>(more);
    variables.put("SERVICE_COMMAND", json.writeValueAsString(Installation.shared().command()));
    variables.put(
        "SERVICE_ENVIRONMENT",
        json.writeValueAsString(TestDatabase.environment(TestDatabase.migrated())));
    variables.put("SCREENSHOTS", FOLDER.resolve("screenshots").toString());
    return start(FOLDER, "node main.mjs " + files, variables);
  }

  private static Process start(Path folder, String command, Map<String, String> variables)
      throws IOException {
    var builder =
        new ProcessBuilder(List.of("sh", "-c", command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log(folder).toFile());
    builder.environment().putAll(variables);
    var process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private static Path log(Path folder) {
    return folder.resolve("clients.log");
  }

  private static void ends(Process process, Path folder) throws Exception {
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    var output = Files.readString(log(folder));
    assumeThat(UNREACHABLE.matcher(output).find() && output.contains("npm error"))
        .as("the npm registry cannot be reached: %s", output)
        .isFalse();
    assertThat(process.exitValue()).as(output).isZero();
  }
}
