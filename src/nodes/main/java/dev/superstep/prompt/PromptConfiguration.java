package dev.superstep.prompt;

import dev.superstep.context.ContextCondition;
import dev.superstep.context.ContextProcessor;
import dev.superstep.context.ContextTransform;
import dev.superstep.context.filter.ContextCache;
import dev.superstep.context.filter.ContextLibrary;
import dev.superstep.context.filter.JavaContextFilter;
import dev.superstep.context.filter.Processors;
import dev.superstep.context.transform.Transforms;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Finds the transforms and processors of this server. Spring keeps bean names unique; a name that
/// a built-in has stops the start.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CacheSettings.class)
class PromptConfiguration {

  @Bean
  ContextCache contextCache(CacheSettings settings, MeterRegistry meters) {
    return settings.bytesMax().toBytes() == 0 ? ContextCache.NONE : new KeptViews(settings, meters);
  }

  @Bean
  ContextLibrary contextLibrary(
      ContextCondition.Compiler conditions, ContextCache cache, ListableBeanFactory beans) {
    return new ContextLibrary(
        conditions,
        Transforms.with(beans.getBeansOfType(ContextTransform.class)),
        Processors.of(beans.getBeansOfType(ContextProcessor.class)),
        beans.getBeansOfType(JavaContextFilter.class),
        cache);
  }
}
