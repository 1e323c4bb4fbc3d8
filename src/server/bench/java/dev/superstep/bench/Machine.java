package dev.superstep.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/// Where the figures come from.
final class Machine {
  private Machine() {}

  static Map<String, String> describe() {
    var facts = new LinkedHashMap<String, String>();
    facts.put(
        "machine",
        "%d cores (%s), %.0f GiB, %s %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                first("/proc/cpuinfo", "model name"),
                kibibytes(first("/proc/meminfo", "MemTotal")) / (1 << 20),
                System.getProperty("os.name"),
                System.getProperty("os.version")));
    facts.put(
        "Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    facts.put("Superstep", version());
    return facts;
  }

  private static String version() {
    var build = new Properties();
    try (InputStream in = Machine.class.getResourceAsStream("/META-INF/build-info.properties")) {
      if (in != null) {
        build.load(in);
      }
    } catch (IOException e) {
      System.out.println("No version: " + e.getMessage());
    }
    return build.getProperty("build.version", "?") + " " + commit();
  }

  private static String commit() {
    try {
      var git = new ProcessBuilder("git", "describe", "--always", "--dirty").start();
      var text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? text.strip() : "";
    } catch (IOException _) {
      return "";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static double kibibytes(String text) {
    return text.isEmpty() ? 0 : Double.parseDouble(text.replaceAll("\\D", ""));
  }

  private static String first(String file, String key) {
    return Processes.lines(file).stream()
        .filter(it -> it.startsWith(key))
        .map(it -> it.substring(it.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("");
  }
}
