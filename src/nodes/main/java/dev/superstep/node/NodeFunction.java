package dev.superstep.node;

import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import org.jspecify.annotations.Nullable;

/// A node written in Java: a Spring bean whose bean name is the function's name in definitions
/// (`type: function`, `config.function`). It may come in a jar under `SUPERSTEP_EXTENSIONS`.
///
/// ```java
/// package example;
///
/// import dev.superstep.node.FunctionCall;
/// import dev.superstep.node.FunctionResult;
/// import dev.superstep.node.NodeFunction;
/// import dev.superstep.state.GraphState;
/// import dev.superstep.state.value.ObjectValue;
/// import org.springframework.stereotype.Component;
///
/// @Component("greet")
/// public final class Greet implements NodeFunction {
///   @Override
///   public FunctionResult run(GraphState state, ObjectValue input, FunctionCall call) {
///     var name = state.text("name", "stranger");
///     return FunctionResult.done().update("greeting", "Hello " + name);
///   }
/// }
/// ```
///
/// Calls are at-least-once: a crash between the call and its commit repeats it, with the same
/// [FunctionCall#idempotencyKey]. One instance serves many calls at a time. It should answer an
/// interrupt of its thread (time-out, cancel) soon.
@FunctionalInterface
public interface NodeFunction {

  /// @param state the frozen state every task of the superstep sees, with what this task held back
  ///   when it asked (E36)
  /// @param input the input of the dispatch; null for a plain activation (E10)
  /// @throws NodeException to fail with a code of its own and a retry hint; anything else thrown
  ///   fails the task too
  FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call)
      throws Exception;

  /// One sentence for authors of graphs; listed by `GET /v1/functions`.
  default String description() {
    return "";
  }

  /// JSON Schema of the `arguments` that a node may configure, for authors; `{}` if it declares
  /// none.
  default ObjectValue argumentsSchema() {
    return ObjectValue.empty();
  }

  /// Whether the function neither blocks nor has effects, so that its result need not be recorded
  /// (E10.3), nor what it depends on be on disk before it is called. A node's `config.pure`
  /// overrides it.
  default boolean pure() {
    return false;
  }
}
