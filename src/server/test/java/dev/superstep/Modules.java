package dev.superstep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The modules of this build and their sources, from the ground up.
public final class Modules {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private Modules() {}

  /// Their folders, as the parent lists them.
  public static List<Path> folders() throws IOException {
    return MODULE
        .matcher(Files.readString(Path.of("pom.xml")))
        .results()
        .map(it -> Path.of(it.group(1)))
        .toList();
  }

  /// The files of Java of all modules, without tests.
  public static List<Path> sources() throws IOException {
    var sources = new ArrayList<Path>();
    for (var module : folders()) {
      sources.addAll(sources(module));
    }
    return sources;
  }

  static List<Path> sources(Path module) throws IOException {
    try (var files = Files.walk(module.resolve("main/java"))) {
      return files.filter(it -> it.toString().endsWith(".java")).toList();
    }
  }
}
