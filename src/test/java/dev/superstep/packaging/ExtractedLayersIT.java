package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.fault.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/// The layers of the jar, put together as the Dockerfile does it.
class ExtractedLayersIT extends PackagedServiceContract {

  ExtractedLayersIT() throws IOException {
    super(
        Installation.packaged().resolveSibling("extracted-layers"),
        Installation.shared().command(),
        Map.of());
  }

  /// Of two copies the class loader takes the one whose jar happens to come first. There are no
  /// exceptions: a library that brings somebody else's classes is to be excluded in `pom.xml`.
  /// Descriptors of modules and packages are no classes.
  @Test
  void hasEachClassOnce() throws IOException {
    var owners = new TreeMap<String, List<String>>();
    try (var libraries = Files.list(Installation.shared().jar().resolveSibling("lib"))) {
      for (var library : libraries.toList()) {
        try (var jar = new ZipFile(library.toFile())) {
          jar.stream()
              .map(it -> it.getName())
              .filter(it -> it.endsWith(".class"))
              .filter(it -> !it.matches("(.*/)?(module|package)-info.class"))
              .forEach(it ->
                  owners
                      .computeIfAbsent(it, _ -> new ArrayList<>())
                      .add(String.valueOf(library.getFileName())));
        }
      }
    }
    assertThat(owners).hasSizeGreaterThan(10_000);
    assertThat(owners.entrySet().stream().filter(it -> it.getValue().size() > 1).limit(20))
        .extracting(Map.Entry::toString)
        .isEmpty();
  }
}
