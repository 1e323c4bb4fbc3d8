package dev.superstep.starter;

import dev.superstep.http.ProblemWriter;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

/// Superstep within an application. It has a context of its own, so that neither sees the other's
/// configuration: converters, error handling, transactions, entities, migrations. It gets the
/// application's functions and tools, database and metrics, and its settings under `superstep`.
///
/// It is there before the web server accepts requests and ends after the last of them.
final class EmbeddedService implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(EmbeddedService.class);
  private static final String SERVLET = "superstep";
  private static final int BEFORE_THE_WEB_SERVER = DEFAULT_PHASE - 4_096;

  private final WebApplicationContext application;
  private volatile @Nullable Running running;

  EmbeddedService(WebApplicationContext application) {
    this.application = application;
  }

  private record Running(AnnotationConfigWebApplicationContext context, RequestHandler handler) {}

  @Override
  public void start() {
    var environment = (ConfigurableEnvironment) application.getEnvironment();
    var schema = environment.getProperty("superstep.embedded.schema", "superstep");
    var database = ApplicationDatabase.of(application, schema);
    var context = new AnnotationConfigWebApplicationContext();
    context.setId("superstep");
    context.setServletContext(application.getServletContext());
    context.setClassLoader(application.getClassLoader());
    context.setEnvironment(ApplicationSettings.of(environment, fixed(schema)));
    context.setAllowBeanDefinitionOverriding(false);
    context.addBeanFactoryPostProcessor(new EmbeddedBeans(application, database));
    context.register(EmbeddedConfiguration.class);
    try {
      context.refresh();
      running = new Running(context, handler(context));
    } catch (ServletException e) {
      context.close();
      throw new IllegalStateException("Superstep cannot answer requests", e);
    }
    log.info("Superstep answers /v1 and keeps its data in the schema '{}'", schema);
  }

  private static Map<String, Object> fixed(String schema) {
    return Map.of("spring.flyway.schemas", schema, "spring.flyway.default-schema", schema);
  }

  private RequestHandler handler(AnnotationConfigWebApplicationContext context)
      throws ServletException {
    var dispatcher = context.getBean(DispatcherServlet.class);
    dispatcher.setPublishContext(false);
    dispatcher.init(new NamedServlet(SERVLET, Objects.requireNonNull(context.getServletContext())));
    if (!hasKeys(context)) {
      var problems = context.getBean(ProblemWriter.class);
      return new ApplicationSecurity(
          dispatcher::service,
          (request, response) -> problems.write(request, response, unauthenticated()));
    }
    var chain = context.getBean("springSecurityFilterChain", Filter.class);
    return new OwnSecurity(chain, dispatcher::service);
  }

  private static ServiceException unauthenticated() {
    return new ServiceException(
        ErrorCode.UNAUTHENTICATED, "the application has not authenticated this call");
  }

  private static boolean hasKeys(AnnotationConfigWebApplicationContext context) {
    return Binder.get(context.getEnvironment())
        .bind("superstep.api-keys", Bindable.listOf(String.class))
        .orElse(List.of())
        .stream()
        .anyMatch(it -> !it.isBlank());
  }

  /// @throws IllegalStateException before it is started and after it is stopped
  RequestHandler handler() {
    var now = running;
    if (now == null) {
      throw new IllegalStateException("Superstep is not running");
    }
    return now.handler();
  }

  /// Calls that wait are answered.
  void close(ContextClosedEvent event) {
    var now = running;
    if (now != null && event.getApplicationContext().equals(application)) {
      now.context().publishEvent(new ContextClosedEvent(now.context()));
    }
  }

  /// Runs are handed over. Requests are still taken.
  void drain() {
    var now = running;
    if (now != null) {
      now.context().stop();
    }
  }

  @Override
  public void stop() {
    var last = running;
    running = null;
    if (last != null) {
      last.context().close();
    }
  }

  @Override
  public boolean isRunning() {
    return running != null;
  }

  @Override
  public int getPhase() {
    return BEFORE_THE_WEB_SERVER;
  }
}
