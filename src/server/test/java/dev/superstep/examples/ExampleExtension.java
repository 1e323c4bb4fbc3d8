package dev.superstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.node.NodeFunction;
import dev.superstep.state.MergeFunction;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.springframework.stereotype.Component;

/// A jar of what readers find in Java: the page of `examples/context-merge` and the sample of
/// `NodeFunction`. Both are compiled against nodes, kernel and Spring's annotations, and nothing
/// else of the service.
public final class ExampleExtension {
  private static final String NAMES =
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
  private static final Pattern SAMPLE =
      Pattern.compile("/// ```java\n(.*?)/// ```\n", Pattern.DOTALL);

  /// Once for all tests of a JVM: a service that runs has the jar open.
  private static final class Holder {
    static final Path FOLDER = make();
  }

  private ExampleExtension() {}

  /// @return the folder with the jar
  public static Path build() {
    return Holder.FOLDER;
  }

  private static Path make() {
    try {
      var target = Path.of("target/example-extensions");
      var classes = Files.createDirectories(target.resolve("classes"));
      var sources = Files.createDirectories(target.resolve("sources"));
      var sample = Path.of("src/nodes/main/java/dev/superstep/node/NodeFunction.java");
      var greet = Files.writeString(sources.resolve("Greet.java"), sample(sample));
      compile(classes, List.of(Path.of("examples/context-merge/ContextMerge.java"), greet));
      return pack(Files.createDirectories(target.resolve("jars")), classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The code in the Javadoc of a type.
  static String sample(Path source) throws IOException {
    var block = SAMPLE.matcher(Files.readString(source));
    assertThat(block.find()).as("%s has a sample", source).isTrue();
    return block.group(1).replaceAll("(?m)^/// ?", "");
  }

  private static void compile(Path classes, List<Path> sources) {
    var jars =
        Stream.of(NodeFunction.class, MergeFunction.class, NullMarked.class, Component.class)
            .map(it -> it.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    var arguments = new ArrayList<>(List.of("-proc:none", "-Xlint:all,-classfile", "-Werror"));
    arguments.addAll(List.of("-d", classes.toString()));
    arguments.addAll(List.of("-cp", jars));
    sources.forEach(it -> arguments.add(it.toString()));
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
  }

  private static Path pack(Path folder, Path classes) throws IOException {
    try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve("examples.jar")))) {
      for (var type : List.of("example/ContextMerge.class", "example/Greet.class")) {
        put(jar, type, Files.readAllBytes(classes.resolve(type)));
      }
      put(jar, NAMES, "example.ContextMerge\nexample.Greet\n".getBytes(StandardCharsets.UTF_8));
    }
    return folder;
  }

  private static void put(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(content);
    jar.closeEntry();
  }
}
