package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.task.TaskError;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Lists the node types that definitions may use already and this version does not run yet.
@Configuration(proxyBeanMethods = false)
class DeclaredNodeTypes {

  @Bean
  NodeType workerNodeType() {
    return new Declared("worker");
  }

  private record Unavailable(TaskError error) implements MockableNode {
    @Override
    public Outcome run(NodeCall call) {
      return new Outcome.Failed(error);
    }

    @Override
    public NodeRunner answeredBy(Answers answers) {
      return call -> NodeResults.parse(answers.of(call));
    }
  }

  /// @param name of the type and of its schema
  record Declared(String name, ObjectValue configSchema) implements NodeType {

    Declared(String name) {
      this(name, ConfigSchema.read(name));
    }

    @Override
    public String description() {
      return ConfigSchema.describe(configSchema) + " Not available yet.";
    }

    @Override
    public NodeRunner create(Node node, GraphOutline graph) {
      var error =
          TaskError.permanent(
              "node_type_unavailable",
              "nodes of type '%s' cannot run on this server yet".formatted(name));
      return new Unavailable(error);
    }

    @Override
    public boolean available() {
      return false;
    }
  }
}
