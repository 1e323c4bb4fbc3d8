package dev.superstep.testing.kit;

import dev.superstep.testing.LocalReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/// The Java code that graphs may name, and the reader of definitions that knows it. The reader is
/// opened when it is needed, once.
final class Library {
  static final Library EMPTY = new Library(Map.of(), List.of());

  private final Map<String, Object> beans;
  private final List<Class<?>> classes;
  private @Nullable LocalReader reader;

  private Library(Map<String, Object> beans, List<Class<?>> classes) {
    this.beans = Map.copyOf(beans);
    this.classes = List.copyOf(classes);
  }

  Library with(String name, Object bean) {
    return new Library(Scenario.plus(beans, name, bean), classes);
  }

  Library with(List<Class<?>> more) {
    var all = new ArrayList<>(classes);
    all.addAll(more);
    return new Library(beans, all);
  }

  synchronized LocalReader reader() {
    if (reader == null) {
      reader = LocalReader.with(this::register);
    }
    return reader;
  }

  private void register(AnnotationConfigApplicationContext context) {
    context.setAllowBeanDefinitionOverriding(false);
    beans.forEach((name, bean) -> register(context, name, bean.getClass(), bean));
    classes.forEach(context::register);
  }

  private static <T> void register(
      AnnotationConfigApplicationContext context, String name, Class<T> type, Object bean) {
    context.registerBean(name, type, () -> type.cast(bean));
  }
}
