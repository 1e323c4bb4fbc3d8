package dev.superstep.bench;

import dev.superstep.bench.function.WorkloadFunctions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/// The functions of the workloads as an operator would bring them: a jar in a folder.
final class ExtensionJar {
  private static final String NAMES =
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

  private ExtensionJar() {}

  /// @return the folder, for `SUPERSTEP_EXTENSIONS`
  static Path write(Path folder) throws IOException, URISyntaxException {
    Files.createDirectories(folder);
    var classes =
        Path.of(
            WorkloadFunctions.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var own = classes.resolve(WorkloadFunctions.class.getPackageName().replace('.', '/'));
    try (OutputStream out = Files.newOutputStream(folder.resolve("workloads.jar"));
        var jar = new JarOutputStream(out);
        var files = Files.list(own)) {
      jar.putNextEntry(new JarEntry(NAMES));
      jar.write(WorkloadFunctions.class.getName().getBytes(StandardCharsets.UTF_8));
      for (var file : files.sorted().toList()) {
        jar.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        jar.write(Files.readAllBytes(file));
      }
    }
    return folder;
  }
}
