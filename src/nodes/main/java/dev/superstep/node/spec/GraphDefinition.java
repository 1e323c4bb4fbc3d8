package dev.superstep.node.spec;

import dev.superstep.json.Yaml;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.value.ObjectValue;
import java.util.Map;
import java.util.function.Consumer;

/// A graph that is written in Java, in the language of definitions: each method is a key, and a
/// node is a method of the name of its type.
///
/// ```java
/// GraphDefinition.of(
///     "greeting",
///     graph ->
///         graph
///             .channels("name", it -> it.defaultValue("you"))
///             .expression("greet", it -> it.update(Map.of("text", "Hello {{ state.name }}"))));
/// ```
///
/// It is not checked until somebody reads it: an application with the starter checks and stores the
/// beans of this type when it starts, a test has it checked when it runs it.
///
/// @param definition as an author would have posted it
/// @param functions what its nodes call that was given as code, by the name that they write
public record GraphDefinition(
    String name, ObjectValue definition, Map<String, NodeFunction> functions) {
  public GraphDefinition {
    functions = Map.copyOf(functions);
  }

  /// @throws IllegalArgumentException if a key is said twice, or a value is no plain data
  public static GraphDefinition of(String name, Consumer<GraphSpec> author) {
    return Spoken.graph(name, author);
  }

  /// To read, to keep and to post elsewhere; functions are in it by their names.
  public String yaml() {
    return Yaml.write(definition);
  }
}
