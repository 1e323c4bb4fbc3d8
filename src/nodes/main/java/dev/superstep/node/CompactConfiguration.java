package dev.superstep.node;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Finds the summary functions of this server; there may be none.
@Configuration(proxyBeanMethods = false)
class CompactConfiguration {

  @Bean
  FunctionSummarizer functionSummarizer(ListableBeanFactory beans) {
    return new FunctionSummarizer(beans.getBeansOfType(SummaryFunction.class));
  }
}
