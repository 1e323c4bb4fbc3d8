package dev.superstep.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.fault.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The layers of the jar, put together as the Dockerfile does it.
class ExtractedLayersIT extends PackagedServiceContract {
  private static final Pattern MAVEN = Pattern.compile("^META-INF/maven/.+/pom\\.properties$");

  /// Groups whose libraries have versions of their own.
  private static final Set<String> SEPARATE_RELEASES =
      Set.of(
          "com.fasterxml.jackson.core", // annotations have no patches
          "com.google.guava",
          "org.antlr",
          "org.apache.commons",
          "org.apache.xmlgraphics",
          "org.webjars");

  ExtractedLayersIT() throws IOException, SQLException {
    super(
        Installation.packaged().resolveSibling("extracted-layers"),
        Installation.shared().command(),
        TestDatabase.environment(TestDatabase.migrated()));
  }

  /// Of two copies the class loader takes the one whose jar happens to come first. There are no
  /// exceptions: a library that brings somebody else's classes is to be excluded in `pom.xml`.
  /// Descriptors of modules and packages are no classes.
  @Test
  void hasEachClassOnce() throws IOException {
    var libraries = libraries();
    assertThat(libraries).hasSizeGreaterThan(50);
    assertThat(classesOfSeveral(libraries)).isEmpty();
  }

  /// What the test above would say.
  @Test
  void noticesASecondCopyOfAClass(@TempDir Path elsewhere) throws IOException {
    var libraries = new ArrayList<>(libraries());
    var first = libraries.getFirst();
    libraries.add(Files.copy(first, elsewhere.resolve("copy.jar")));

    assertThat(classesOfSeveral(libraries))
        .isNotEmpty()
        .allSatisfy((_, jars) ->
            assertThat(jars).containsExactly(String.valueOf(first.getFileName()), "copy.jar"));
  }

  private static List<Path> libraries() throws IOException {
    try (var found = Files.list(Installation.shared().jar().resolveSibling("lib"))) {
      return found.sorted().toList();
    }
  }

  /// The jars of each class that is in more than one of them.
  private static Map<String, List<String>> classesOfSeveral(List<Path> libraries)
      throws IOException {
    var owners = new TreeMap<String, List<String>>();
    for (var library : libraries) {
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
    assertThat(owners).hasSizeGreaterThan(10_000);
    owners.values().removeIf(it -> it.size() == 1);
    return owners;
  }

  /// Libraries of one project are made for each other: Maven takes whichever version is nearest,
  /// which may be older than what another library of that project needs.
  @Test
  void hasOneVersionOfEachProject() throws IOException {
    var versions = new TreeMap<String, Set<String>>();
    for (var library : libraries()) {
      try (var jar = new ZipFile(library.toFile())) {
        for (var entry : jar.stream().filter(it -> MAVEN.matcher(it.getName()).find()).toList()) {
          var made = new Properties();
          made.load(jar.getInputStream(entry));
          var version = made.getProperty("version");
          // Jars that others are shaded into describe those as well.
          if (library.endsWith("%s-%s.jar".formatted(made.getProperty("artifactId"), version))) {
            versions
                .computeIfAbsent(made.getProperty("groupId"), _ -> new TreeSet<>())
                .add(version);
          }
        }
      }
    }
    assertThat(versions).hasSizeGreaterThan(20);
    versions.keySet().removeAll(SEPARATE_RELEASES);
    assertThat(versions).allSatisfy((_, all) -> assertThat(all).hasSize(1));
  }
}
