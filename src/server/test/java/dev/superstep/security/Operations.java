package dev.superstep.security;

import dev.superstep.graph.Pointer;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// What one may call, as both OpenAPI documents of a service have it.
final class Operations {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

  private Operations() {}

  /// An operation of a document.
  ///
  /// @param scopes that it takes; empty: none
  /// @param parameters other than its body
  /// @param hasBody whether a call may bring one
  record Operation(
      String method,
      String path,
      List<String> scopes,
      List<Parameter> parameters,
      boolean hasBody) {
    Operation {
      scopes = List.copyOf(scopes);
      parameters = List.copyOf(parameters);
    }

    /// Names of parameters of its path, in order.
    List<String> pathParameters() {
      return Stream.of(path.split("/"))
          .filter(it -> it.startsWith("{"))
          .map(it -> it.substring(1, it.indexOf('}')))
          .toList();
    }

    /// Its path with the values of its parameters.
    String target(Map<String, String> values) {
      var target = path;
      for (var name : pathParameters()) {
        target = target.replace("{" + name + "}", Objects.requireNonNull(values.get(name), name));
      }
      return target;
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  /// @param in `path`, `query` or `header`
  record Parameter(String name, String in) {}

  /// @param key of a caller who may read the documents
  static List<Operation> of(int port, String key) throws IOException {
    var found = new ArrayList<Operation>();
    for (var document : List.of("/v3/api-docs/v1", "/v3/api-docs/langgraph")) {
      var answer =
          RawHttp.get(port, document, "Host: superstep.example", "Authorization: Bearer " + key);
      var text = answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
      collect((ObjectValue) Json.read(text), found);
    }
    return List.copyOf(found);
  }

  private static void collect(ObjectValue document, List<Operation> found) {
    member(document, "paths")
        .asMap()
        .forEach((path, item) ->
            ((ObjectValue) item)
                .asMap()
                .forEach((method, operation) -> {
                  if (METHODS.contains(method)) {
                    found.add(operation(document, method, path, (ObjectValue) operation));
                  }
                }));
  }

  private static Operation operation(
      ObjectValue document, String method, String path, ObjectValue operation) {
    return new Operation(
        method.toUpperCase(Locale.ROOT),
        path,
        scopes(operation),
        list(operation, "parameters")
            .map(it -> resolved(document, (ObjectValue) it))
            .map(it -> new Parameter(text(it, "name"), text(it, "in")))
            .toList(),
        operation.get("requestBody") != null);
  }

  private static List<String> scopes(ObjectValue operation) {
    var name = "x-scopes of " + operation.get("operationId");
    var scopes = (ListValue) Objects.requireNonNull(operation.get("x-scopes"), name);
    return scopes.stream().map(it -> ((Value.Text) it).value()).toList();
  }

  private static Stream<Value> list(ObjectValue object, String name) {
    return object.get(name) instanceof ListValue found ? found.stream() : Stream.of();
  }

  private static ObjectValue resolved(ObjectValue document, ObjectValue object) {
    return object.get("$ref") instanceof Value.Text(var reference)
        ? (ObjectValue) Pointer.find(document, reference.substring(1)).orElseThrow()
        : object;
  }

  private static String text(ObjectValue object, String name) {
    return ((Value.Text) Objects.requireNonNull(object.get(name), name)).value();
  }

  private static ObjectValue member(ObjectValue object, String name) {
    return (ObjectValue) Objects.requireNonNull(object.get(name), name);
  }
}
