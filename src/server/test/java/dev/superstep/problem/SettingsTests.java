package dev.superstep.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;

/// Values that nothing can work with: the service says so and does not start.
class SettingsTests {
  private static final Map<Class<?>, Map<Resource, ?>> READ = new ConcurrentHashMap<>();

  @AfterAll
  static void forgets() {
    READ.clear();
  }

  @ParameterizedTest
  @CsvSource({
    "superstep.tasks.max,0,SUPERSTEP_TASKS_MAX",
    "superstep.runs.max,-1,SUPERSTEP_RUNS_MAX",
    "superstep.lease,-1s,SUPERSTEP_LEASE",
    "superstep.lease,0,SUPERSTEP_LEASE",
    "superstep.poll,0,SUPERSTEP_POLL",
    "superstep.drain,-1s,SUPERSTEP_DRAIN",
    "superstep.takeovers-max,0,SUPERSTEP_TAKEOVERSMAX",
    "superstep.limits.supersteps.max,-5,SUPERSTEP_LIMITS_SUPERSTEPS_MAX",
    "superstep.limits.supersteps.standard,100001,SUPERSTEP_LIMITS_SUPERSTEPS_STANDARD",
    "superstep.limits.timeout.standard,31d,SUPERSTEP_LIMITS_TIMEOUT_STANDARD",
    "superstep.limits.concurrency-max,0,SUPERSTEP_LIMITS_CONCURRENCYMAX",
    "superstep.limits.state-max,-1,SUPERSTEP_LIMITS_STATEMAX",
    "superstep.subgraphs.nesting-max,0,SUPERSTEP_SUBGRAPHS_NESTINGMAX",
    "superstep.subgraphs.runs-max,0,SUPERSTEP_SUBGRAPHS_RUNSMAX",
    "superstep.requests.body-max,-1,SUPERSTEP_REQUESTS_BODY_MAX",
    "superstep.definitions.nodes-max,0,SUPERSTEP_DEFINITIONS_NODESMAX",
    "superstep.http.timeout,0,SUPERSTEP_HTTP_TIMEOUT",
    "superstep.pools.engine-max,0,SUPERSTEP_POOLS_ENGINEMAX",
    "superstep.store.batch.writers,0,SUPERSTEP_STORE_BATCH_WRITERS",
    "superstep.wide.slice.min,257,SUPERSTEP_WIDE_SLICE_MIN",
    "superstep.streams.heartbeat,0,SUPERSTEP_STREAMS_HEARTBEAT",
    "superstep.egress.allow,http://a,SUPERSTEP_EGRESS_ALLOW",
    "superstep.models.a.api-key,sk-schlüssel,SUPERSTEP_MODELS_A_APIKEY",
    "superstep.tools.parallel-max,0,SUPERSTEP_TOOLS_PARALLELMAX",
    "superstep.tools.http.a.url,ftp://a,SUPERSTEP_TOOLS_HTTP_A_URL",
    "superstep.models.a.prices.input,-1,SUPERSTEP_MODELS_A_PRICES_INPUT",
    "superstep.models.a.prices.input,1000000001,SUPERSTEP_MODELS_A_PRICES_INPUT",
    "superstep.models.a.prices.input,0.0000000001,SUPERSTEP_MODELS_A_PRICES_INPUT",
    "superstep.models.a.prices.input,1e-2000000000,SUPERSTEP_MODELS_A_PRICES_INPUT",
    "superstep.currency,12,SUPERSTEP_CURRENCY",
    "superstep.default-model,b,SUPERSTEP_DEFAULTMODEL",
    "superstep.api-keys,schlüssel,SUPERSTEP_API_KEYS"
  })
  void saysWhichSettingIsWrongAndWhatItMustBe(String property, String value, String variable) {
    var analysis = analyze(start(Map.of(property, value)));

    assertThat(analysis.getDescription()).contains(property + " (" + variable + ")");
    assertThat(analysis.getDescription()).doesNotContain("schlüssel");
    assertThat(analysis.getAction()).contains(variable);
  }

  private static Throwable start(Map<String, Object> settings) {
    var application = new SpringApplication(AllSettings.class);
    application.setApplicationContextFactory(_ -> new KeptContext());
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setDefaultProperties(settings);
    application.setRegisterShutdownHook(false);
    var failure = catchThrowable(() -> application.run().close());
    assertThat(failure).isNotNull();
    return failure;
  }

  private static FailureAnalysis analyze(Throwable failure) {
    return Objects.requireNonNull(new InvalidSettingFailureAnalyzer().analyze(failure));
  }

  /// Keeps what it has read of classes for the next start.
  private static final class KeptContext extends AnnotationConfigApplicationContext {
    @Override
    @SuppressWarnings("unchecked")
    public <T> Map<Resource, T> getResourceCache(Class<T> type) {
      return (Map<Resource, T>) READ.computeIfAbsent(type, _ -> new ConcurrentHashMap<>());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConfigurationPropertiesScan("dev.superstep")
  static class AllSettings {}
}
