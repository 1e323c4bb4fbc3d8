package dev.superstep.starter.springai;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/// Stands before the models, tools and memories of the application. Outside of runs they do what
/// they did before. A bean that others want by its class stays as it is.
final class DurableSpringAi implements BeanPostProcessor {
  private static final Logger log = LoggerFactory.getLogger(DurableSpringAi.class);

  private final ConfigurableListableBeanFactory beans;
  private @Nullable Set<Class<?>> wanted;

  DurableSpringAi(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    var durable = durable(bean, beanName);
    if (durable.isPresent() && wanted().contains(bean.getClass())) {
      log.warn(
          "Calls of the bean '{}' are no durable steps: it is injected by its class, {}",
          beanName,
          bean.getClass().getName());
      return bean;
    }
    return durable.orElse(bean);
  }

  private static Optional<Object> durable(Object bean, String name) {
    return Optional.ofNullable(
        switch (bean) {
          case ChatModel model -> new DurableChatModel(model);
          case ToolCallingManager manager -> new DurableToolCallingManager(manager);
          case ToolCallbackResolver resolver -> new DurableToolCallbackResolver(resolver);
          case ChatMemory memory -> new DurableChatMemory(memory, name);
          case ChatMemoryRepository repository -> new DurableChatMemoryRepository(repository, name);
          default -> null;
        });
  }

  /// What beans of the application are injected with.
  private synchronized Set<Class<?>> wanted() {
    var known = wanted;
    if (known == null) {
      known = new HashSet<>();
      for (var name : beans.getBeanDefinitionNames()) {
        var type = beans.getType(name, false);
        if (type != null && !type.getName().startsWith("org.springframework.")) {
          addTypes(known, ClassUtils.getUserClass(type));
        }
      }
      wanted = known;
    }
    return known;
  }

  private static void addTypes(Set<Class<?>> types, Class<?> bean) {
    try {
      Stream.concat(
              Arrays.stream(bean.getDeclaredConstructors()),
              Arrays.stream(bean.getDeclaredMethods()))
          .map(Executable::getParameterTypes)
          .flatMap(Arrays::stream)
          .forEach(types::add);
      Arrays.stream(bean.getDeclaredFields()).map(Field::getType).forEach(types::add);
    } catch (LinkageError e) {
      log.debug("what {} is injected with is not known", bean, e);
    }
  }
}
