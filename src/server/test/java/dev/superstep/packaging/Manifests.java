package dev.superstep.packaging;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rendered manifests as typed objects, and the fields in them that Kubernetes does not know.
final class Manifests {

  private static final String UNKNOWN = "getAdditionalProperties";

  private Manifests() {}

  static List<HasMetadata> parse(String manifests) {
    KubernetesSerialization serialization = new KubernetesSerialization();
    return Arrays.stream(manifests.split("(?m)^---.*$"))
        .filter(Predicate.not(String::isBlank))
        .map(document -> (HasMetadata) serialization.unmarshal(document))
        .toList();
  }

  static List<String> unknownFields(HasMetadata object) {
    List<String> found = new ArrayList<>();
    visit(object.getKind(), object, found);
    return found;
  }

  private static void visit(String path, Object value, List<String> found) {
    switch (value) {
      case Collection<?> items -> items.forEach(item -> visit(path, item, found));
      case Map<?, ?> members ->
          members.forEach((name, member) -> visit(path + "." + name, member, found));
      case KubernetesResource resource -> visitProperties(path, resource, found);
      default -> {}
    }
  }

  private static void visitProperties(String path, KubernetesResource value, List<String> found) {
    getters(value)
        .forEach(getter -> {
          Object property = read(getter, value);
          if (getter.getName().equals(UNKNOWN) && property instanceof Map<?, ?> unknown) {
            unknown.keySet().forEach(name -> found.add(path + "." + name));
          } else if (property != null) {
            visit(path + "." + getter.getName().substring(3), property, found);
          }
        });
  }

  private static Stream<Method> getters(KubernetesResource value) {
    return Arrays.stream(value.getClass().getMethods())
        .filter(method -> method.getName().startsWith("get") && method.getParameterCount() == 0)
        .filter(method -> !method.getName().equals("getClass"))
        .filter(method -> !method.isAnnotationPresent(Deprecated.class));
  }

  private static @Nullable Object read(Method getter, KubernetesResource value) {
    try {
      return getter.invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
