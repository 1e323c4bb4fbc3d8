package dev.superstep.node;

import dev.superstep.definition.Suggestion;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.function.Supplier;

/// Calls a [NodeFunction].
final class FunctionNodeType extends ConfiguredNodeType {
  private final NodeFunctions nodeFunctions;
  private final ModelRates rates;

  /// @param rates of models that agents ask within functions
  FunctionNodeType(NodeFunctions nodeFunctions, Expressions expressions, ModelRates rates) {
    super("function", expressions);
    this.nodeFunctions = nodeFunctions;
    this.rates = rates;
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var name = config.text("function").orElse("");
    var function = nodeFunctions.find(name);
    if (function.isEmpty()) {
      config.refuse(
          "function",
          "unknown_function",
          "this server has no function '%s'%s; it has %s"
              .formatted(
                  name, Suggestion.among(nodeFunctions.names(), name), nodeFunctions.names()));
    }
    var arguments = config.template("arguments");
    return () ->
        new FunctionNode(
            function.orElseThrow(),
            arguments,
            config.graph().channels(),
            purity(config, function.orElseThrow()),
            rates);
  }

  @Override
  protected Value result(ObjectValue config) {
    return COMPUTED;
  }

  private static FunctionNode.CallPurity purity(NodeConfig config, NodeFunction function) {
    var declared = config.find("pure").map(Value.TRUE::equals);
    return declared.orElseGet(function::pure)
        ? FunctionNode.CallPurity.PURE
        : FunctionNode.CallPurity.RECORDED;
  }
}
