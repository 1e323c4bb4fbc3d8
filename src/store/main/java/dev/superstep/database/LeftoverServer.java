package dev.superstep.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds and stops a PostgreSQL server that outlived the process that started it: SIGKILL reaches
/// the JVM only, and the server still holds the data directory. It is stopped, not adopted, because
/// its settings and its version are those of the process that died.
final class LeftoverServer {

  private static final Logger log = LoggerFactory.getLogger(LeftoverServer.class);
  private static final Duration STOP_MAX = Duration.ofSeconds(60);

  private static final Duration ORPHANS_MAX = Duration.ofSeconds(20);
  private static final Duration ORPHANS_LOOK = Duration.ofMillis(50);

  private LeftoverServer() {}

  /// Stops the server of this cluster, if one runs, and returns when it is gone. Only for the
  /// holder of the folder's claim.
  static void stop(Path cluster) throws IOException {
    Path pidFile = cluster.resolve("postmaster.pid");
    if (Files.notExists(pidFile)) {
      return;
    }
    Optional<ProcessHandle> process = pid(pidFile).flatMap(ProcessHandle::of);
    if (process.isEmpty()) {
      return;
    }
    if (process.filter(candidate -> serves(candidate, cluster)).isPresent()) {
      log.info("Stopping the PostgreSQL that a killed process left in {}", cluster);
      interrupt(process.get());
    } else {
      // After a reboot the pid can belong to any process, and PostgreSQL would refuse to start.
      Files.delete(pidFile);
    }
  }

  /// Waits until the server that runs on this cluster has ended, however that happens.
  static void awaitEnd(Path cluster) throws InterruptedException {
    try {
      Optional<ProcessHandle> process =
          pid(cluster.resolve("postmaster.pid")).flatMap(ProcessHandle::of);
      if (process.isPresent()) {
        process.get().onExit().get();
      }
    } catch (IOException | ExecutionException e) {
      log.debug("No server runs on {}", cluster, e);
    }
  }

  /// Waits for the child processes of a killed server: they end by themselves, and until then they
  /// hold the shared memory that a new one needs. Those left after a while are killed.
  static void awaitOrphans(Path binaries) throws InterruptedException {
    long deadline = System.nanoTime() + ORPHANS_MAX.toNanos();
    while (System.nanoTime() - deadline < 0) {
      if (orphans(binaries).isEmpty()) {
        return;
      }
      Thread.sleep(ORPHANS_LOOK);
    }
    orphans(binaries).forEach(ProcessHandle::destroyForcibly);
  }

  /// The binaries are this data folder's own.
  private static List<ProcessHandle> orphans(Path binaries) {
    return ProcessHandle.allProcesses()
        .filter(it ->
            it.info()
                .command()
                .filter(command -> Path.of(command).startsWith(binaries))
                .isPresent())
        .toList();
  }

  private static Optional<Long> pid(Path pidFile) throws IOException {
    List<String> lines = Files.readAllLines(pidFile);
    return lines.stream()
        .findFirst()
        .map(String::strip)
        .filter(line -> line.matches("\\d{1,18}"))
        .map(Long::valueOf);
  }

  private static boolean serves(ProcessHandle process, Path cluster) {
    boolean postgres =
        process.info().command().filter(command -> command.endsWith("/postgres")).isPresent();
    return postgres
        && process
            .info()
            .arguments()
            .filter(arguments -> List.of(arguments).contains(cluster.toString()))
            .isPresent();
  }

  /// SIGINT is PostgreSQL's fast shutdown; SIGTERM, all that the JDK can send, would wait for
  /// clients.
  private static void interrupt(ProcessHandle process) throws IOException {
    new ProcessBuilder("sh", "-c", "kill -INT \"$0\"", Long.toString(process.pid())).start();
    try {
      process.onExit().get(STOP_MAX.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new EmbeddedDatabaseException(
          "The PostgreSQL server " + process.pid() + ", left by a killed process, does not stop.",
          "Stop it by hand, then start again.",
          e);
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
