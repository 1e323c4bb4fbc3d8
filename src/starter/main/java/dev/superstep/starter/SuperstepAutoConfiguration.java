package dev.superstep.starter;

import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.context.WebApplicationContext;

/// Puts Superstep into an application: it answers the calls of `/v1/**`.
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "superstep.embedded.enabled", matchIfMissing = true)
public class SuperstepAutoConfiguration {

  @Bean
  EmbeddedService superstepService(WebApplicationContext application) {
    return new EmbeddedService(application);
  }

  @Bean
  EmbeddedDrain superstepDrain(EmbeddedService service) {
    return new EmbeddedDrain(service);
  }

  /// The last filter: those of the application, its security among them, come before.
  @Bean
  FilterRegistrationBean<EmbeddedFilter> superstepFilter(EmbeddedService service) {
    var registration = new FilterRegistrationBean<>(new EmbeddedFilter(service));
    registration.addUrlPatterns("/v1/*");
    registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
    registration.setOrder(Ordered.LOWEST_PRECEDENCE);
    return registration;
  }
}
