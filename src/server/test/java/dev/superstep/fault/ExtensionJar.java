package dev.superstep.fault;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/// A jar for `superstep.extensions` with one class of the test tree, and its nested ones.
public final class ExtensionJar {
  private static final String NAMES =
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

  private ExtensionJar() {}

  /// @return the environment of a replica that loads it
  public static Map<String, String> of(Path folder, Class<?> type) throws IOException {
    var extensions = Files.createDirectories(folder.resolve("extensions"));
    try (var jar =
        new JarOutputStream(
            Files.newOutputStream(extensions.resolve(type.getSimpleName() + ".jar")))) {
      put(jar, NAMES, type.getName().getBytes(StandardCharsets.UTF_8));
      var file = type.getName().replace('.', '/') + ".class";
      var here = Path.of(URI.create(String.valueOf(type.getClassLoader().getResource(file))));
      try (var siblings = Files.list(here.getParent())) {
        for (var sibling : siblings.toList()) {
          var name = sibling.getFileName().toString();
          if (isPart(name, type) || isPart(name, type.getSuperclass())) {
            put(
                jar,
                file.substring(0, file.lastIndexOf('/') + 1) + name,
                Files.readAllBytes(sibling));
          }
        }
      }
    }
    return Map.of("SUPERSTEP_EXTENSIONS", extensions.toString());
  }

  private static boolean isPart(String name, Class<?> type) {
    return name.startsWith(type.getSimpleName() + ".")
        || name.startsWith(type.getSimpleName() + "$");
  }

  private static void put(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new ZipEntry(name));
    jar.write(content);
    jar.closeEntry();
  }
}
