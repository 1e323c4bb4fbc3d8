package dev.superstep.extension;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.StringUtils;

/// Puts the jars of `superstep.extensions` on the class path of the application, before its context
/// is made. It works the same from the jar, from an exploded folder and from Maven, which the
/// loader path of Spring Boot's launcher does not.
class ExtensionFolder implements EnvironmentPostProcessor, Ordered {

  private static final String PROPERTY = "superstep.extensions";

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
    ClassLoader loader = new URLClassLoader("extensions", urls, application.getClassLoader());
    application.setResourceLoader(new DefaultResourceLoader(loader));
    log.info("Extensions of " + folder + ": " + jars.stream().map(Path::getFileName).toList());
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
