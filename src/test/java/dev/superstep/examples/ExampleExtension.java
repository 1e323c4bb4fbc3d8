package dev.superstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/// The jar that the page of `examples/context-merge` has its reader build.
public final class ExampleExtension {
  private static final String FOLDER = "target/example-extensions";
  private static final String NAMES =
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

  private ExampleExtension() {}

  /// @return the folder with the jar
  public static Path build() {
    try {
      var classes = Files.createDirectories(Path.of("target/example-classes"));
      var source = "examples/context-merge/ContextMerge.java";
      int result =
          ToolProvider.getSystemJavaCompiler()
              .run(
                  null,
                  null,
                  null,
                  "-proc:none",
                  "-d",
                  classes.toString(),
                  "-cp",
                  classPath(),
                  source);
      assertThat(result).isZero();
      return pack(classes.resolve("example/ContextMerge.class"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path pack(Path type) throws IOException {
    var folder = Files.createDirectories(Path.of(FOLDER));
    try (var jar =
        new JarOutputStream(Files.newOutputStream(folder.resolve("context-merge.jar")))) {
      put(jar, "example/ContextMerge.class", Files.readAllBytes(type));
      put(jar, NAMES, "example.ContextMerge".getBytes(StandardCharsets.UTF_8));
    }
    return folder;
  }

  private static void put(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(content);
    jar.closeEntry();
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
