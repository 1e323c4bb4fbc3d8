package dev.superstep.node;

import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.expression.Expressions;
import dev.superstep.model.Models;
import dev.superstep.model.SpendingGate;
import dev.superstep.state.MergeFunction;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The types of nodes that need nothing from outside, and the functions of this server; there may
/// be none. Its methods are called by Spring, and by the reader that works without it.
@Configuration(proxyBeanMethods = false)
public class NodeConfiguration {

  @Bean
  public NodeFunctions functions(ListableBeanFactory beans) {
    return new NodeFunctions(
        beans.getBeansOfType(NodeFunction.class),
        beans.getBeansOfType(MergeFunction.class),
        beans.getBeansOfType(SummaryFunction.class));
  }

  @Bean
  public List<NodeType> nodeTypesWithin(
      Expressions expressions,
      Summarizers summarizers,
      NodeFunctions functions,
      Models models,
      SpendingGate gate,
      CallbackSettings callbacks) {
    return List.of(
        new CompactNodeType(expressions, summarizers),
        new ExpressionNodeType(expressions),
        new FailNodeType(expressions),
        new FunctionNodeType(functions, expressions, ModelRates.of(models, gate)),
        new HumanNodeType(expressions),
        new RouterNodeType(expressions),
        new SubgraphNodeType(expressions),
        new WaitNodeType(expressions),
        new WorkerNodeType(expressions, callbacks));
  }

  @Bean
  public List<SummarizerType> summarizersWithin(
      Expressions expressions, ListableBeanFactory beans) {
    return List.of(
        new DropSummarizer(),
        new ExpressionSummarizer(expressions),
        new FunctionSummarizer(beans.getBeansOfType(SummaryFunction.class)));
  }
}
