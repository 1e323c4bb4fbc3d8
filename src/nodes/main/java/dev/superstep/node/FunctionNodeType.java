package dev.superstep.node;

import dev.superstep.definition.Suggestion;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// Calls a [NodeFunction].
final class FunctionNodeType implements NodeType {
  private final Expressions expressions;
  private final ObjectValue schema = ConfigSchema.read("function");
  private final NodeFunctions nodeFunctions;

  FunctionNodeType(NodeFunctions nodeFunctions, Expressions expressions) {
    this.expressions = expressions;
    this.nodeFunctions = nodeFunctions;
  }

  @Override
  public String name() {
    return "function";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
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
    return config.unlessRefused(() ->
        new FunctionNode(
            function.orElseThrow(),
            arguments,
            graph.channels(),
            purity(config, function.orElseThrow())));
  }

  private static FunctionNode.CallPurity purity(NodeConfig config, NodeFunction function) {
    var declared = config.find("pure").map(Value.TRUE::equals);
    return declared.orElseGet(function::pure)
        ? FunctionNode.CallPurity.PURE
        : FunctionNode.CallPurity.RECORDED;
  }
}
