package dev.superstep.starter;

import dev.superstep.context.ContextProcessor;
import dev.superstep.context.ContextTransform;
import dev.superstep.context.JavaContextFilter;
import dev.superstep.node.NodeFunction;
import dev.superstep.node.SummaryFunction;
import dev.superstep.node.spec.GraphDefinition;
import dev.superstep.state.MergeFunction;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/// The beans of the application that graphs may name, functions within those graphs that it
/// defines, and its metrics.
final class ApplicationBeans {
  private static final List<Class<?>> TYPES =
      List.of(
          NodeFunction.class,
          MergeFunction.class,
          SummaryFunction.class,
          ContextTransform.class,
          ContextProcessor.class,
          JavaContextFilter.class,
          ToolCallback.class,
          ToolCallbackProvider.class);

  /// Beans of these packages have no tools; looking at all their methods would slow the start.
  private static final List<String> OTHERS =
      List.of("org.springframework.", "com.zaxxer.", "io.micrometer.", "org.springdoc.");

  private ApplicationBeans() {}

  /// By their names in the application.
  static Map<String, Object> of(ListableBeanFactory application) {
    var beans = new LinkedHashMap<String, Object>();
    TYPES.forEach(it -> beans.putAll(application.getBeansOfType(it)));
    for (var name : application.getBeanNamesForType(Object.class, false, false)) {
      var type = application.getType(name, false);
      if (type != null && hasTools(type)) {
        beans.put(name, application.getBean(name));
      }
    }
    application.getBeansOfType(GraphDefinition.class).values().stream()
        .flatMap(it -> it.functions().entrySet().stream())
        .forEach(it -> add(beans, it.getKey(), it.getValue()));
    return beans;
  }

  private static void add(Map<String, Object> beans, String name, NodeFunction function) {
    if (beans.putIfAbsent(name, function) != null) {
      throw new IllegalStateException(
          "the bean '%s' has the name of a function that is given within a graph: name it otherwise"
              .formatted(name));
    }
  }

  /// The registry of the application, so that it has Superstep's metrics, too.
  static MeterRegistry meters(ListableBeanFactory application) {
    return application.getBeanProvider(MeterRegistry.class).getIfUnique(SimpleMeterRegistry::new);
  }

  private static boolean hasTools(Class<?> type) {
    return OTHERS.stream().noneMatch(type.getName()::startsWith)
        && Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
            .anyMatch(it -> AnnotatedElementUtils.hasAnnotation(it, Tool.class));
  }
}
