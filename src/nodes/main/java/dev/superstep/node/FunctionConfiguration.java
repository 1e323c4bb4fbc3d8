package dev.superstep.node;

import dev.superstep.state.MergeFunction;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Finds the functions of this server; there may be none.
@Configuration(proxyBeanMethods = false)
class FunctionConfiguration {

  @Bean
  NodeFunctions functions(ListableBeanFactory beans) {
    return new NodeFunctions(
        beans.getBeansOfType(NodeFunction.class),
        beans.getBeansOfType(MergeFunction.class),
        beans.getBeansOfType(SummaryFunction.class));
  }
}
