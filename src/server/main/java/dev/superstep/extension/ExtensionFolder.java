package dev.superstep.extension;

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
import org.apache.commons.logging.Log;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.StringUtils;

/// Adds to the application, before its context is made, the classes that the jars of
/// `superstep.extensions` name: components and configurations. It works the same from the jar, from
/// its extracted layers and from Maven, which the loader path of Spring Boot's launcher does not.
///
/// The classes have a loader of their own, below that of the application, which stays the loader of
/// the context: proxies of package-private interfaces can be made nowhere else.
class ExtensionFolder implements EnvironmentPostProcessor, Ordered {

  private static final String PROPERTY = "superstep.extensions";
  private static final String NAMES =
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

  private final Log log;

  ExtensionFolder(DeferredLogFactory logs) {
    this.log = logs.getLog(ExtensionFolder.class);
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    String value = environment.getProperty(PROPERTY);
    if (!StringUtils.hasText(value)) {
      return;
    }
    Path folder = Path.of(value);
    if (!Files.isDirectory(folder)) {
      throw new InvalidConfigurationPropertyValueException(
          PROPERTY, value, "It is not a folder that can be read.");
    }
    List<Path> jars = jars(folder);
    URL[] urls = jars.stream().map(ExtensionFolder::url).toArray(URL[]::new);
    // Lives as long as the application: classes are loaded from it at any time.
    @SuppressWarnings("resource")
    URLClassLoader loader = new URLClassLoader("extensions", urls, application.getClassLoader());
    List<Class<?>> classes =
        named(loader).<Class<?>>map(name -> load(name, loader, value)).toList();
    application.addPrimarySources(classes);
    log.info("Extensions of " + folder + ": " + classes.stream().map(Class::getName).toList());
  }

  private static Stream<String> named(URLClassLoader loader) {
    try {
      return Collections.list(loader.findResources(NAMES)).stream()
          .flatMap(ExtensionFolder::lines)
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

  private static Class<?> load(String name, ClassLoader loader, String folder) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new InvalidConfigurationPropertyValueException(
          PROPERTY, folder, "The class " + name + " of an extension cannot be loaded: " + e);
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

  /// After the configuration files have been read.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
