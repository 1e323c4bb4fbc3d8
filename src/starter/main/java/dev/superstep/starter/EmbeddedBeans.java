package dev.superstep.starter;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.convert.ApplicationConversionService;

/// Gives Superstep what it has of the application. As singletons, which are neither injected nor
/// ended a second time.
final class EmbeddedBeans implements BeanDefinitionRegistryPostProcessor {
  private final ListableBeanFactory application;
  private final ApplicationDatabase database;

  EmbeddedBeans(ListableBeanFactory application, ApplicationDatabase database) {
    this.application = application;
    this.database = database;
  }

  /// Before conditions ask for them.
  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
    if (registry instanceof SingletonBeanRegistry singletons) {
      singletons.registerSingleton("applicationDatabase", database);
      singletons.registerSingleton("applicationMeters", ApplicationBeans.meters(application));
    }
  }

  /// After all definitions have been read, so that a name that both have is noticed.
  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
    factory.setConversionService(new ApplicationConversionService());
    if (factory instanceof BeanDefinitionRegistry registry) {
      // It leaves out lines of the log of the whole process.
      registry.removeBeanDefinition("outageFilter");
    }
    ApplicationBeans.of(application)
        .forEach((name, bean) -> {
          if (factory.containsBean(name)) {
            throw new IllegalStateException(
                "the application's bean '%s' has the name of a bean of Superstep: name it otherwise"
                    .formatted(name));
          }
          factory.registerSingleton(name, bean);
        });
  }
}
