package dev.superstep.node.function;

import dev.superstep.definition.GraphOutline;
import dev.superstep.definition.NodeType;
import dev.superstep.definition.Suggestion;
import dev.superstep.engine.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Node;
import dev.superstep.node.ConfigSchema;
import dev.superstep.node.NodeConfig;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import org.springframework.stereotype.Component;

/// Calls a [NodeFunction].
@Component
final class FunctionNodeType implements NodeType {
  private final Expressions expressions;
  private final ObjectValue schema = ConfigSchema.read("function");
  private final Functions functions;

  FunctionNodeType(Functions functions, Expressions expressions) {
    this.expressions = expressions;
    this.functions = functions;
  }

  @Override
  public String name() {
    return "function";
  }

  @Override
  public String description() {
    return ConfigSchema.describe(schema);
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var name = config.text("function").orElse("");
    var function = functions.find(name);
    if (function.isEmpty()) {
      config.refuse(
          "function",
          "unknown_function",
          "this server has no function '%s'%s; it has %s"
              .formatted(name, Suggestion.among(functions.names(), name), functions.names()));
    }
    var arguments = config.template("arguments");
    return config.unlessRefused(() ->
        new FunctionNode(
            function.orElseThrow(),
            arguments,
            graph.channels(),
            purity(config, function.orElseThrow())));
  }

  private static FunctionNode.Purity purity(NodeConfig config, NodeFunction function) {
    var declared = config.find("pure").map(Value.TRUE::equals);
    return declared.orElseGet(function::pure)
        ? FunctionNode.Purity.PURE
        : FunctionNode.Purity.RECORDED;
  }
}
