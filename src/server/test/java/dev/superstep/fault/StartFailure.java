package dev.superstep.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// What is known of a process that does not become ready: its log and its threads. They are kept
/// beside those of scenarios that failed; the folder of a test is deleted with it.
final class StartFailure {
  private static final Path KEPT = Path.of("target", "fault-logs");
  private static final int LAST_LINES = 30;
  private static final int SECONDS = 20;

  private StartFailure() {}

  /// @param log of a process that has ended
  static AssertionError ended(Path log, int code) {
    return failure("The replica has ended with %d before it was ready".formatted(code), log);
  }

  /// @param log of a process that runs
  static AssertionError stuck(Path log, ProcessHandle process) throws InterruptedException {
    var threads = log.resolveSibling("threads.log");
    dump(process, threads);
    return failure("The replica is not ready; its threads: " + keep(threads), log);
  }

  private static AssertionError failure(String what, Path log) {
    return new AssertionError(
        "%s; its log, %s, ends with%n%s"
            .formatted(what, keep(log), String.join(System.lineSeparator(), lastLines(log))));
  }

  private static List<String> lastLines(Path log) {
    try {
      var lines = Files.readAllLines(log);
      return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    } catch (IOException e) {
      return List.of(e.toString());
    }
  }

  /// Platform threads and their locks go to the log, all with the virtual ones to the file.
  private static void dump(ProcessHandle process, Path to) throws InterruptedException {
    Processes.send(process, Processes.Signal.QUIT);
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    var pid = Long.toString(process.pid());
    try {
      var dump =
          new ProcessBuilder(jcmd, pid, "Thread.dump_to_file", "-overwrite", to.toString())
              .inheritIO()
              .start();
      if (!dump.waitFor(SECONDS, TimeUnit.SECONDS)) {
        dump.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path keep(Path file) {
    var name = "%s-%s".formatted(file.resolveSibling("").getFileName(), file.getFileName());
    var kept = KEPT.resolve("start-" + name);
    try {
      Files.createDirectories(KEPT);
      if (Files.exists(file)) {
        Files.copy(file, kept, StandardCopyOption.REPLACE_EXISTING);
      }
      return kept;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
