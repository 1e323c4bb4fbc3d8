package dev.superstep.definition.read;

import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextRuleReader;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.FunctionSource;
import dev.superstep.definition.ServerLimits;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.definition.type.ResultCache;
import dev.superstep.definition.type.SummarizerType;
import dev.superstep.definition.type.Summarizers;
import dev.superstep.definition.type.ToolDefinitions;
import dev.superstep.expression.Expressions;
import dev.superstep.state.MergeFunction;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Configures the reader of definitions.
@Configuration(proxyBeanMethods = false)
class DefinitionConfiguration {

  @Bean
  NodeTypes nodeTypes(List<List<NodeType>> types) {
    return new NodeTypes(types.stream().flatMap(List::stream).toList());
  }

  @Bean
  Summarizers summarizers(List<List<SummarizerType>> types) {
    return new Summarizers(types.stream().flatMap(List::stream).toList());
  }

  @Bean
  Registered registered(
      NodeTypes types,
      Summarizers summarizers,
      ContextLibrary contexts,
      ToolDefinitions tools,
      ObjectProvider<ResultCache> results,
      ListableBeanFactory beans) {
    return new Registered(
        types,
        beans.getBeansOfType(MergeFunction.class),
        summarizers,
        new ContextRuleReader(contexts),
        tools,
        results.getIfAvailable(() -> ResultCache.NONE));
  }

  @Bean
  DefinitionReader definitionReader(
      Registered registered, Expressions compiler, DefinitionLimits limits, ServerLimits server) {
    return DefinitionReaders.of(registered, compiler, limits, server);
  }

  @Bean
  Catalog catalog(NodeTypes types, List<FunctionSource> sources, DefinitionLimits limits) {
    return new Catalog(types, sources, limits);
  }
}
