package dev.superstep.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/// The packaged jar, taken apart as the image does it. It may be started once to make a cache of
/// its classes: a suite that starts it dozens of times saves half of each start.
record Installation(Path jar, Path cache) {
  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx512m",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static Path packaged() {
    return Path.of(Objects.requireNonNull(System.getProperty("superstep.jar"), "superstep.jar"));
  }

  /// What an earlier suite has left in the folder.
  static Installation in(Path folder) {
    var root = folder.resolve("installation");
    return new Installation(root.resolve(packaged().getFileName()), root.resolve("classes.aot"));
  }

  /// Without a cache: for a few starts.
  static Installation of(Path folder) throws IOException, InterruptedException {
    var packaged = packaged();
    var root = folder.resolve("installation");
    FileSystemUtils.deleteRecursively(root);
    var extract = List.of("-Djarmode=tools", "-jar", packaged.toString(), "extract");
    var arguments = new ArrayList<>(extract);
    arguments.addAll(List.of("--destination", root.toString()));
    run(folder, Map.of(), arguments);
    return in(folder);
  }

  /// Starts the service once, to fill the cache.
  ///
  /// @param database settings of a database to start it on
  Installation cached(Path folder, Map<String, String> database)
      throws IOException, InterruptedException {
    var training = new ArrayList<>(FLAGS);
    training.add("-XX:AOTCacheOutput=" + cache);
    training.addAll(List.of("-Dspring.context.exit=onRefresh", "-jar", jar.toString()));
    run(folder, database, training);
    return this;
  }

  /// The command that starts the service.
  List<String> command() {
    var command = new ArrayList<String>();
    command.add(java());
    command.addAll(FLAGS);
    if (Files.exists(cache)) {
      command.add("-XX:AOTCache=" + cache);
    }
    command.addAll(List.of("-jar", jar.toString()));
    return command;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static void run(Path folder, Map<String, String> environment, List<String> arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(java());
    command.addAll(arguments);
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    var log = folder.resolve("installation.log").toFile();
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().putAll(environment);
    var process = builder.start();
    if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "%s did not end well: %s".formatted(command, Files.readString(log.toPath())));
    }
  }
}
