package dev.superstep.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A service in a process of its own, as an operator would start it.
final class ServiceChild implements AutoCloseable {
  private static final long START_MAX_SECONDS = 120;
  private static final long POLL_MS = 50;
  private final Process process;
  private final int port;

  private ServiceChild(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /// Starts a service on the database; returns when it answers.
  ///
  /// @param name of its log
  static ServiceChild start(Sql database, Path folder, String name) throws Exception {
    return start(database, folder, name, Map.of());
  }

  /// @param others variables of its environment
  static ServiceChild start(Sql database, Path folder, String name, Map<String, String> others)
      throws Exception {
    return start(new ProcessBuilder(command()), database, folder, name, others);
  }

  /// Starts the service as the image does, with its settings and those of its options alone.
  ///
  /// @param layout what `src/server/build/trained.sh` has made of the packaged jar
  static ServiceChild startLayout(Sql database, Path folder, Path layout) throws Exception {
    var builder = new ProcessBuilder(java(), "@java.options", "-jar", "superstep.jar");
    return start(builder.directory(layout.toFile()), database, folder, "layout", Map.of());
  }

  /// Starts another engine, which is told where its database and its port are as the service is.
  static ServiceChild startPeer(
      List<String> command, Sql database, Path folder, String name, Map<String, String> others)
      throws Exception {
    return start(new ProcessBuilder(command), database, folder, name, others);
  }

  private static ServiceChild start(
      ProcessBuilder builder, Sql database, Path folder, String name, Map<String, String> others)
      throws Exception {
    var extensions = ExtensionJar.write(folder.resolve("extensions"));
    int port = freePort();
    var log = folder.resolve(name + ".log").toFile();
    builder.redirectErrorStream(true).redirectOutput(log);
    var url = PgUrl.of(database.url());
    var environment = builder.environment();
    environment.put("SERVER_PORT", "" + port);
    environment.put("MANAGEMENT_SERVER_PORT", "-1");
    environment.put("SPRING_DATASOURCE_URL", database.url().replaceFirst("\\?.*", ""));
    environment.put("SPRING_DATASOURCE_USERNAME", url.user());
    environment.put("SPRING_DATASOURCE_PASSWORD", url.password());
    environment.put("SUPERSTEP_EXTENSIONS", extensions.toString());
    environment.putAll(others);
    var child = new ServiceChild(builder.start(), port);
    child.awaitAnswer(log);
    return child;
  }

  /// What [#start] starts: the packaged jar, unless it is older than what it was made of.
  static String kind() throws IOException {
    return jar().isPresent() ? "packaged jar" : "compiled classes (no up-to-date jar)";
  }

  private static List<String> command() throws IOException {
    var command = new ArrayList<String>();
    command.add(java());
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    ServiceSettings.asMap().forEach((key, value) -> command.add("-D%s=%s".formatted(key, value)));
    var jar = jar();
    if (jar.isPresent()) {
      command.addAll(List.of("-jar", jar.get().toString()));
    } else {
      command.addAll(List.of("-cp", classPath(), "dev.superstep.SuperstepApplication"));
    }
    return command;
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /// Absent if anything it is made of was written after it. The build gives the jars one time for
  /// all, so the time at which the system last wrote to the file's entry counts.
  private static Optional<Path> jar() throws IOException {
    var name = System.getProperty("superstep.jar", "");
    if (name.isEmpty() || Files.notExists(Path.of(name))) {
      return Optional.empty();
    }
    var jar = Path.of(name);
    long packaged = changed(jar);
    for (var part : classPath().split(File.pathSeparator)) {
      try (Stream<Path> files = walk(Path.of(part))) {
        if (files.filter(ServiceChild::isOurs).anyMatch(it -> changed(it) > packaged)) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(jar);
  }

  private static Stream<Path> walk(Path part) throws IOException {
    return Files.exists(part) ? Files.walk(part) : Stream.empty();
  }

  private static boolean isOurs(Path file) {
    var name = file.getFileName().toString();
    return name.endsWith(".class") || (name.startsWith("superstep") && name.endsWith(".jar"));
  }

  private static long changed(Path file) {
    try {
      return ((FileTime) Files.getAttribute(file, "unix:ctime")).toMillis();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Everything but tests and benchmarks.
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(it -> !it.contains("test-classes") && !it.endsWith("-tests.jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  long pid() {
    return process.pid();
  }

  /// SIGKILL, to its children as well.
  void kill() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  private void awaitAnswer(File log) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_MAX_SECONDS);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - until > 0) {
        close();
        throw new IOException("the service did not start; see " + log);
      }
      Thread.sleep(POLL_MS);
    }
  }

  private boolean answers() {
    try (var line = new HttpLine(url())) {
      return line.get("/v1/graphs").status() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /// SIGTERM to its children as well, and SIGKILL if that does not help.
  @Override
  public void close() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    if (!process.waitFor(40, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
