package dev.superstep.node.tool;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/// Finds the tools that are Spring beans: of this service or of a jar under `SUPERSTEP_EXTENSIONS`.
final class JavaTools implements ToolSource, SmartInitializingSingleton {
  /// Beans of these packages have no tools; looking at all their methods would slow the start.
  private static final List<String> OTHERS =
      List.of("org.springframework.", "com.zaxxer.", "io.micrometer.", "org.springdoc.");

  private final Supplier<List<dev.superstep.node.tool.Tool>> found;
  private volatile List<dev.superstep.node.tool.Tool> tools = List.of();
  private volatile boolean searched;

  JavaTools(Supplier<List<dev.superstep.node.tool.Tool>> found) {
    this.found = found;
  }

  /// @throws UnusableToolException when all beans are there, if two tools have one name, or if the
  ///   names of a method's parameters are unknown
  static JavaTools of(ListableBeanFactory beans, ToolSettings settings) {
    return new JavaTools(() -> find(beans, settings));
  }

  /// An unusable tool stops the start, not the first run that calls it.
  @Override
  public void afterSingletonsInstantiated() {
    tools();
  }

  @Override
  public List<dev.superstep.node.tool.Tool> tools() {
    if (!searched) {
      search();
    }
    return tools;
  }

  /// Called after all beans have been created.
  private synchronized void search() {
    if (!searched) {
      tools = found.get();
      searched = true;
    }
  }

  private static List<dev.superstep.node.tool.Tool> find(
      ListableBeanFactory beans, ToolSettings settings) {
    var callbacks = new ArrayList<ToolCallback>(beans.getBeansOfType(ToolCallback.class).values());
    beans
        .getBeansOfType(ToolCallbackProvider.class)
        .values()
        .forEach(it -> callbacks.addAll(Arrays.asList(it.getToolCallbacks())));
    var annotated = annotated(beans);
    if (!annotated.isEmpty()) {
      var provider = MethodToolCallbackProvider.builder().toolObjects(annotated.toArray()).build();
      callbacks.addAll(Arrays.asList(provider.getToolCallbacks()));
    }
    Map<String, dev.superstep.node.tool.Tool> tools = new HashMap<>();
    for (var callback : callbacks) {
      var tool = JavaTool.of(callback, settings);
      if (tools.put(tool.description().name(), tool) != null) {
        throw new UnusableToolException(
            "Two tools in Java are named '%s'.".formatted(tool.description().name()),
            "Name one of them otherwise: @Tool(name = …).");
      }
    }
    return List.copyOf(tools.values());
  }

  private static List<Object> annotated(ListableBeanFactory beans) {
    var found = new ArrayList<>();
    for (var name : beans.getBeanNamesForType(Object.class, true, false)) {
      var type = beans.getType(name, false);
      if (type != null && OTHERS.stream().noneMatch(type.getName()::startsWith) && hasTools(type)) {
        found.add(beans.getBean(name));
      }
    }
    return found;
  }

  private static boolean hasTools(Class<?> type) {
    var found = new boolean[1];
    ReflectionUtils.doWithMethods(
        type,
        it -> {
          if (AnnotatedElementUtils.hasAnnotation(it, Tool.class)) {
            found[0] = true;
            requireNames(it);
          }
        });
    return found[0];
  }

  /// Models see the names of parameters, and their arguments are matched by them: `arg0` would mean
  /// nothing to it.
  private static void requireNames(Method method) {
    for (var parameter : method.getParameters()) {
      if (!parameter.isNamePresent() && !ToolContext.class.isAssignableFrom(parameter.getType())) {
        throw new UnusableToolException(
            "The @Tool method %s of %s was compiled without the names of its parameters."
                .formatted(method.getName(), method.getDeclaringClass().getName()),
            "Compile it with -parameters: javac -parameters, or <parameters>true</parameters> of"
                + " the maven-compiler-plugin.");
      }
    }
  }
}
