package dev.superstep.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;

/// Runs a [Worker] in a Spring Boot application that has methods with [SuperstepWorker]. Settings:
/// `superstep.url`, `superstep.api-key`, `superstep.client.concurrency`, `superstep.client.grace`.
@AutoConfiguration
public class SuperstepWorkerAutoConfiguration {

  /// Made when somebody asks for it.
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  Superstep superstepClient(Environment environment) {
    var url = environment.getProperty("superstep.url", "");
    if (url.isBlank()) {
      throw new IllegalStateException("superstep.url must say where the service is");
    }
    var key = environment.getProperty("superstep.api-key", "");
    return Superstep.connect(Settings.of(URI.create(url), key));
  }

  @Bean
  @Lazy(false)
  WorkerBeans superstepWorkerBeans(
      ConfigurableListableBeanFactory beans, Environment environment) {
    return new WorkerBeans(beans, environment);
  }

  /// Works while the application is up: it begins last, and ends first. Beans are asked for when
  /// their first task comes.
  static final class WorkerBeans implements SmartLifecycle {
    private static final Log LOG = LogFactory.getLog(WorkerBeans.class);

    private final ConfigurableListableBeanFactory beans;
    private final Duration grace;
    private final int concurrency;
    private Worker worker;

    WorkerBeans(ConfigurableListableBeanFactory beans, Environment environment) {
      this.beans = beans;
      grace =
          environment.getProperty(
              "superstep.client.grace", Duration.class, Duration.ofSeconds(20));
      concurrency = environment.getProperty("superstep.client.concurrency", Integer.class, 10);
    }

    @Override
    public synchronized void start() {
      var made = new Worker(concurrency);
      var types = new TreeSet<String>();
      for (var name : beans.getBeanNamesForType(Object.class, true, false)) {
        if (!ScopedProxyUtils.isScopedTarget(name)) {
          methods(name)
              .forEach((method, annotation) -> {
                made.register(annotation.value(), handler(name, method));
                types.add(annotation.value());
              });
        }
      }
      if (!types.isEmpty()) {
        worker = made.start(beans.getBean(Superstep.class));
        LOG.info("Works at tasks of the types " + types);
      }
    }

    private Map<Method, SuperstepWorker> methods(String name) {
      var type = AutoProxyUtils.determineTargetClass(beans, name);
      return type == null || !AnnotationUtils.isCandidateClass(type, SuperstepWorker.class)
          ? Map.of()
          : MethodIntrospector.selectMethods(type, WorkerBeans::annotation);
    }

    private static SuperstepWorker annotation(Method method) {
      return AnnotatedElementUtils.findMergedAnnotation(method, SuperstepWorker.class);
    }

    private Worker.Handler<Object, Object> handler(String name, Method declared) {
      var parameters = declared.getGenericParameterTypes();
      if (Arrays.stream(parameters).filter(it -> it != WorkerTask.class).count() > 1) {
        throw new IllegalStateException(declared + " has more than one input");
      }
      return (json, task) -> {
        var bean = beans.getBean(name);
        var method = AopUtils.selectInvocableMethod(declared, bean.getClass());
        ReflectionUtils.makeAccessible(method);
        return call(bean, method, arguments(parameters, json, task));
      };
    }

    private static Object[] arguments(Type[] parameters, Object json, WorkerTask task)
        throws TaskFailedException {
      var values = new Object[parameters.length];
      for (int i = 0; i < values.length; i++) {
        values[i] =
            parameters[i] == WorkerTask.class ? task : Transport.typed(json, parameters[i]);
      }
      return values;
    }

    private static Object call(Object bean, Method method, Object[] values) throws Exception {
      try {
        return method.invoke(bean, values);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof Exception cause) {
          throw cause;
        }
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw e;
      }
    }

    @Override
    public synchronized void stop() {
      if (worker != null) {
        worker.stop(grace);
        worker = null;
      }
    }

    @Override
    public synchronized boolean isRunning() {
      return worker != null && worker.isWorking();
    }
  }
}
