package dev.superstep.starter;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
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

  /// Hands requests to Superstep. The application itself does not see them.
  static final class EmbeddedFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private final transient EmbeddedService service;

    EmbeddedFilter(EmbeddedService service) {
      this.service = service;
    }

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      service.handler().handle(request, response);
    }
  }

  /// Lets Superstep answer calls that wait, and hand its runs over, before the web server waits for
  /// its requests to end.
  static final class EmbeddedDrain
      implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {
    private final EmbeddedService service;
    private volatile boolean running;

    EmbeddedDrain(EmbeddedService service) {
      this.service = service;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
      service.close(event);
    }

    @Override
    public void start() {
      running = true;
    }

    @Override
    public void stop() {
      running = false;
      service.drain();
    }

    @Override
    public boolean isRunning() {
      return running;
    }
  }
}
