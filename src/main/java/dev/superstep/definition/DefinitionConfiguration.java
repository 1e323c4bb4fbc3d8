package dev.superstep.definition;

import dev.superstep.expression.Expressions;
import dev.superstep.state.MergeFunction;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Puts the reader of definitions together.
@Configuration(proxyBeanMethods = false)
class DefinitionConfiguration {

  @Bean
  NodeTypes nodeTypes(List<NodeType> types) {
    return new NodeTypes(types);
  }

  @Bean
  DefinitionReader definitionReader(
      NodeTypes types,
      Expressions compiler,
      DefinitionLimits limits,
      ServerLimits server,
      ListableBeanFactory beans) {
    var merges = beans.getBeansOfType(MergeFunction.class);
    return DefinitionReaders.of(types, compiler, Map.copyOf(merges), limits, server);
  }

  @Bean
  Catalog catalog(NodeTypes types, List<FunctionSource> sources, DefinitionLimits limits) {
    return new Catalog(types, sources, limits);
  }
}
