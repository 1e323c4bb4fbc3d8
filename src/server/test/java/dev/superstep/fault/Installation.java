package dev.superstep.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/// The packaged jar, taken apart and put together again by the lines of the Dockerfile, with a
/// cache of its classes, which saves half of each start.
public record Installation(Path jar, Path cache) {
  private static final Path DOCKERFILE = Path.of("Dockerfile");
  private static final Path TRAINING = Path.of("src/server/build/AotCache.java");

  /// The lines that put the image together.
  private static final Pattern LAYER =
      Pattern.compile("^COPY --from=build /build/extracted/(\\S+)/ \\./$", Pattern.MULTILINE);

  /// For processes that do not live long.
  private static final List<String> SHORT =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          // As large as with all tiers: each time that a sixth of it has been filled, a collection
          // of the whole heap stops the process. Others would make room for classes.
          "-XX:ReservedCodeCacheSize=240m",
          "-XX:MetaspaceSize=256m");

  private static final List<String> FLAGS =
      Stream.concat(
              SHORT.stream(),
              Stream.of(
                  "-Xmx512m",
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow"))
          .toList();

  private static final class Holder {
    static final Installation SHARED = make();

    private static Installation make() {
      var folder = packaged().resolveSibling("fault");
      try {
        FileSystemUtils.deleteRecursively(folder);
        return of(Files.createDirectories(folder)).cached(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the jar was taken apart", e);
      }
    }
  }

  /// The one of this JVM, beside the jar, with a cache.
  public static Installation shared() {
    return Holder.SHARED;
  }

  /// The jar as `mvn package` makes it.
  public static Path packaged() {
    return Path.of(Objects.requireNonNull(System.getProperty("superstep.jar"), "superstep.jar"));
  }

  /// The jar without an embedded database.
  public static Path packagedForServers() {
    return packaged()
        .resolveSibling(packaged().getFileName().toString().replaceFirst("[.]jar$", "-server.jar"));
  }

  private static Installation in(Path folder) {
    var root = folder.resolve("installation");
    return new Installation(root.resolve("superstep.jar"), root.resolve("classes.aot"));
  }

  private static Installation of(Path folder) throws IOException, InterruptedException {
    var packaged = packaged();
    var extracted = folder.resolve("extracted");
    var arguments = new ArrayList<>(List.of("-Djarmode=tools", "-jar", packaged.toString()));
    arguments.addAll(List.of("extract", "--layers", "--destination", extracted.toString()));
    run(folder, arguments);
    var root = Files.createDirectories(folder.resolve("installation"));
    Files.move(
        extracted.resolve("application").resolve(packaged.getFileName()),
        extracted.resolve("application").resolve("superstep.jar"));
    for (var layer : LAYER.matcher(Files.readString(DOCKERFILE)).results().toList()) {
      FileSystemUtils.copyRecursively(extracted.resolve(layer.group(1)), root);
    }
    FileSystemUtils.deleteRecursively(extracted);
    return in(folder);
  }

  /// Fills the cache, as the Dockerfile does it; without its load, as no profile is used.
  private Installation cached(Path folder) throws IOException, InterruptedException {
    var training = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path")));
    training.add("-Druns=12");
    training.add(TRAINING.toAbsolutePath().toString());
    training.addAll(List.of(cache.toString(), java()));
    training.addAll(FLAGS);
    training.addAll(List.of("-jar", jar.toString()));
    run(folder, training);
    return this;
  }

  /// The command that starts the service.
  public List<String> command() {
    var command = new ArrayList<String>();
    command.add(java());
    command.addAll(FLAGS);
    // With this mode the JVM ends if it cannot use the cache.
    command.addAll(List.of("-XX:AOTMode=on", "-XX:AOTCache=" + cache));
    command.addAll(List.of("-jar", jar.toString()));
    return command;
  }

  /// Starts something else.
  public static List<String> java(String... arguments) {
    var command = new ArrayList<>(List.of(java()));
    command.addAll(SHORT);
    command.addAll(List.of(arguments));
    return command;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static void run(Path folder, List<String> arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(java());
    command.addAll(arguments);
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    var log = folder.resolve("installation.log").toFile();
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    var process = builder.start();
    if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "%s did not end well: %s".formatted(command, Files.readString(log.toPath())));
    }
  }
}
