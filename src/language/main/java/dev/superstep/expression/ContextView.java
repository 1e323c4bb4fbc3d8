package dev.superstep.expression;

import dev.superstep.graph.Scope;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The variable `context`: `variables` over `metadata`, whose keys are dotted.
///
/// As a map it has the dotted keys. Paths such as `context.user.name` never reach the map:
/// [ContextPaths] turns them into calls of [#find].
final class ContextView extends AbstractMap<String, Object> {
  private final ObjectValue variables;
  private final ObjectValue metadata;

  ContextView(Scope scope) {
    variables = object(scope.get("variables"));
    metadata = object(scope.get("metadata"));
  }

  private static ObjectValue object(Value value) {
    return ObjectValue.orEmpty(value);
  }

  /// The variable, then the metadata, whose key is the longest dotted prefix of `path`, and in its
  /// value the rest of the path.
  public Optional<Value> find(String path) {
    for (var source : new ObjectValue[] {variables, metadata}) {
      for (int end = path.length(); end > 0; end = path.lastIndexOf('.', end - 1)) {
        var found = source.get(path.substring(0, end));
        if (found != null) {
          return rest(found, path.substring(Math.min(path.length(), end + 1)));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Value> rest(Value value, String path) {
    var found = Optional.of(value);
    for (var step : path.isEmpty() ? new String[0] : path.split("\\.")) {
      found =
          found.flatMap(it ->
              it instanceof ObjectValue object
                  ? Optional.ofNullable(object.get(step))
                  : Optional.empty());
    }
    return found;
  }

  ObjectValue merged() {
    return metadata.plusAll(variables);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return key instanceof String name && (variables.has(name) || metadata.has(name));
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    if (!(key instanceof String name)) {
      return null;
    }
    var found = variables.get(name);
    found = found == null ? metadata.get(name) : found;
    return found == null ? null : CelValues.view(found);
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return ((CelValues.ObjectMembers) CelValues.view(merged())).entrySet();
  }
}
