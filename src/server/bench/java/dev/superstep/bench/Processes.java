package dev.superstep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What `/proc` says about processes of this machine.
final class Processes {
  /// `USER_HZ`, the same on every Linux that Java runs on.
  private static final double TICKS = 100;

  private static final Pattern SPACES = Pattern.compile("\\s+");

  private Processes() {}

  /// CPU seconds of a process and of those it has waited for.
  static double cpuSeconds(long pid) {
    return stat(pid).map(it -> ticks(it, 11, 14) / TICKS).orElse(0.0);
  }

  /// CPU seconds of a process and of everything below it, the ended ones included.
  static double cpuSecondsOfTree(long pid) {
    double below =
        ProcessHandle.of(pid).stream()
            .flatMap(ProcessHandle::descendants)
            .mapToDouble(it -> cpuSeconds(it.pid()))
            .sum();
    return cpuSeconds(pid) + below;
  }

  static long parent(long pid) {
    return stat(pid).map(it -> Long.parseLong(it.get(1))).orElse(-1L);
  }

  /// Begins the peak of a process's memory anew, where the system lets us.
  static void resetPeak(long pid) {
    try {
      Files.writeString(Path.of("/proc/" + pid + "/clear_refs"), "5");
    } catch (IOException e) {
      System.out.println("The peak of memory is that since the start: " + e.getMessage());
    }
  }

  /// The most memory a process has had, in bytes.
  static long peakBytes(long pid) {
    return statusBytes(pid, "VmHWM:");
  }

  /// The memory that a process has now, in bytes.
  static long residentBytes(long pid) {
    return statusBytes(pid, "VmRSS:");
  }

  private static long statusBytes(long pid, String name) {
    return lines("/proc/" + pid + "/status").stream()
        .filter(it -> it.startsWith(name))
        .mapToLong(it -> Long.parseLong(SPACES.split(it)[1]) * 1024)
        .findFirst()
        .orElse(0);
  }

  /// The fields behind the name, from the state on; empty if the process is gone.
  private static Optional<List<String>> stat(long pid) {
    return lines("/proc/" + pid + "/stat").stream()
        .findFirst()
        .map(it -> List.of(SPACES.split(it.substring(it.lastIndexOf(')') + 2))));
  }

  private static double ticks(List<String> fields, int from, int to) {
    return fields.subList(from, to + 1).stream().mapToDouble(Double::parseDouble).sum();
  }

  static List<String> lines(String path) {
    try {
      return Files.readAllLines(Path.of(path));
    } catch (IOException _) {
      return List.of();
    }
  }
}
