package dev.superstep.starter;

import dev.superstep.definition.store.Definitions;
import dev.superstep.http.ProblemWriter;
import dev.superstep.node.spec.GraphDefinition;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
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
      ApplicationGraphs.of(
              context.getBean(Definitions.class), context.getBean(PlatformTransactionManager.class))
          .store(application.getBeansOfType(GraphDefinition.class));
      running = new Running(context, handler(context));
    } catch (ServletException e) {
      context.close();
      throw new IllegalStateException("Superstep cannot answer requests", e);
    } catch (RuntimeException e) {
      context.close();
      throw e;
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

  /// The configuration of a servlet that no container knows.
  private record NamedServlet(String name, ServletContext context) implements ServletConfig {
    @Override
    public String getServletName() {
      return name;
    }

    @Override
    public ServletContext getServletContext() {
      return context;
    }

    @Override
    public @Nullable String getInitParameter(String parameter) {
      return null;
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
      return Collections.emptyEnumeration();
    }
  }

  /// Has Superstep check keys itself. Whom the application has authenticated counts for nothing: an
  /// authority of its own might have the name of a scope.
  ///
  /// @param chain authenticates, and continues with `next`
  record OwnSecurity(Filter chain, RequestHandler next) implements RequestHandler {

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      var before = SecurityContextHolder.getContext();
      SecurityContextHolder.setContext(SecurityContextHolder.createEmptyContext());
      try {
        chain.doFilter(
            request,
            response,
            (asked, answer) ->
                next.handle((HttpServletRequest) asked, (HttpServletResponse) answer));
      } finally {
        SecurityContextHolder.setContext(before);
      }
    }
  }

  /// Gives Superstep what it has of the application. As singletons, which are neither injected nor
  /// ended a second time.
  private static final class EmbeddedBeans implements BeanDefinitionRegistryPostProcessor {
    private final ListableBeanFactory application;
    private final ApplicationDatabase database;

    EmbeddedBeans(ListableBeanFactory application, ApplicationDatabase database) {
      this.application = application;
      this.database = database;
    }

    /// Before conditions ask for them.
    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
      if (registry instanceof SingletonBeanRegistry singletons) {
        singletons.registerSingleton("applicationDatabase", database);
        singletons.registerSingleton("applicationMeters", ApplicationBeans.meters(application));
      }
    }

    /// After all definitions have been read, so that a name that both have is noticed.
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
      factory.setConversionService(new ApplicationConversionService());
      if (factory instanceof BeanDefinitionRegistry registry) {
        // It leaves out lines of the log of the whole process.
        registry.removeBeanDefinition("outageFilter");
      }
      ApplicationBeans.of(application)
          .forEach((name, bean) -> {
            if (factory.containsBean(name)) {
              throw new IllegalStateException(
                  "the application's bean '%s' has the name of a bean of Superstep: name it otherwise"
                      .formatted(name));
            }
            factory.registerSingleton(name, bean);
          });
    }
  }

  /// The database of the application, of which Superstep has a schema of its own.
  ///
  /// @param schema where its tables are, and their migrations are noted
  record ApplicationDatabase(JdbcConnectionDetails application, String schema)
      implements JdbcConnectionDetails {
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Pattern CURRENT = Pattern.compile("([?&])currentSchema=[^&]*");
    private static final String POSTGRESQL = "jdbc:postgresql:";

    ApplicationDatabase {
      if (!NAME.matcher(schema).matches()) {
        throw new IllegalStateException(
            "superstep.embedded.schema is '%s', which names no schema: write lower-case letters, digits and _"
                .formatted(schema));
      }
      if (!application.getJdbcUrl().startsWith(POSTGRESQL)) {
        throw new IllegalStateException(
            "Superstep needs PostgreSQL, and the application's database is another: "
                + application.getJdbcUrl().replaceFirst("(jdbc:\\w+:).*", "$1"));
      }
    }

    static ApplicationDatabase of(ListableBeanFactory application, String schema) {
      var details = application.getBeanProvider(JdbcConnectionDetails.class).getIfUnique();
      if (details == null) {
        throw new IllegalStateException(
            "Superstep finds no database: set spring.datasource.url, or declare a bean of type"
                + " JdbcConnectionDetails that says where it is");
      }
      return new ApplicationDatabase(details, schema);
    }

    @Override
    public @Nullable String getUsername() {
      return application.getUsername();
    }

    @Override
    public @Nullable String getPassword() {
      return application.getPassword();
    }

    @Override
    public String getJdbcUrl() {
      var url = application.getJdbcUrl();
      var current = "currentSchema=" + schema;
      var found = CURRENT.matcher(url);
      if (found.find()) {
        return found.replaceFirst("$1" + current);
      }
      return url + (url.contains("?") ? "&" : "?") + current;
    }
  }
}
