package dev.superstep.definition;

import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// A package that registers functions which definitions call by name; `GET /v1/functions` lists
/// what all sources have.
public interface FunctionSource {

  List<FunctionDescription> functions();

  /// @param name as definitions write it
  /// @param kind `node`, `merge` or `summary`
  /// @param pure whether calling it again does no harm
  /// @param argumentsSchema JSON Schema of its `arguments`; `{}` if it declares none
  record FunctionDescription(
      String name, String kind, String description, Purity pure, ObjectValue argumentsSchema) {}

  /// Whether calling a function again does no harm.
  enum Purity {
    PURE,
    EFFECTFUL
  }
}
