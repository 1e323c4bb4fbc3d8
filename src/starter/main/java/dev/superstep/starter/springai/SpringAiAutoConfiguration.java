package dev.superstep.starter.springai;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import reactor.core.publisher.Hooks;

/// Makes agents durable that use Spring AI.
@AutoConfiguration
@ConditionalOnClass(name = "org.springframework.ai.chat.client.ChatClient")
@ConditionalOnBooleanProperty(name = "superstep.embedded.enabled", matchIfMissing = true)
public class SpringAiAutoConfiguration {

  /// Streams change threads, and carry the scope of the agent along.
  @Bean
  @ConditionalOnBooleanProperty(name = "superstep.embedded.agents", matchIfMissing = true)
  static DurableSpringAi superstepSpringAi(
      Environment environment, ConfigurableListableBeanFactory beans) {
    if (!"limited".equals(environment.getProperty("spring.reactor.context-propagation"))) {
      Hooks.enableAutomaticContextPropagation();
    }
    return new DurableSpringAi(beans);
  }
}
