package dev.superstep.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The classes that the jars of a folder name: components and configurations.
public final class ExtensionJars {
  private static final String NAMES =
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

  private ExtensionJars() {}

  /// The classes have a loader of their own, which stays open: classes are loaded from it at any
  /// time.
  ///
  /// @throws IllegalArgumentException if it is no folder, or a class is not there
  public static List<Class<?>> classes(Path folder, ClassLoader parent) {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException("It is not a folder that can be read.");
    }
    URL[] urls = jars(folder).stream().map(ExtensionJars::url).toArray(URL[]::new);
    @SuppressWarnings("resource")
    var loader = new URLClassLoader("extensions", urls, parent);
    return named(loader).<Class<?>>map(name -> load(name, loader)).toList();
  }

  private static Stream<String> named(URLClassLoader loader) {
    try {
      return Collections.list(loader.findResources(NAMES)).stream()
          .flatMap(ExtensionJars::lines)
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(Predicate.not(String::isEmpty))
          .distinct();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> lines(URL names) {
    try (InputStream in = names.openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> load(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(
          "The class " + name + " of an extension cannot be loaded: " + e, e);
    }
  }

  /// In the order of their names, so that every replica sees the same class path.
  private static List<Path> jars(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
