package dev.superstep.extension;

import dev.superstep.node.ExtensionJars;
import java.nio.file.Path;
import java.util.List;
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
    List<Class<?>> classes = classes(value, application.getClassLoader());
    application.addPrimarySources(classes);
    log.info("Extensions of " + value + ": " + classes.stream().map(Class::getName).toList());
  }

  private static List<Class<?>> classes(String folder, ClassLoader parent) {
    try {
      return ExtensionJars.classes(Path.of(folder), parent);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          PROPERTY, folder, String.valueOf(e.getMessage()));
    }
  }

  /// After the configuration files have been read.
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
