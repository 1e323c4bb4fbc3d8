package dev.superstep.http.connection;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/// Gives the management port platform threads: it answers while virtual threads compute, wait for a
/// carrier, or wait for the database in numbers.
///
/// Listed for the management context, and excluded from the component scan: the port of the API
/// keeps its virtual threads.
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
final class ManagementThreads {
  private static final int THREADS = 16;

  ManagementThreads() {}

  @Bean(destroyMethod = "shutdownNow")
  ExecutorService managementExecutor() {
    return Executors.newFixedThreadPool(
        THREADS, Thread.ofPlatform().daemon().name("management-", 0).factory());
  }

  /// Runs after Boot's own customizer, which sets virtual threads.
  @Bean
  WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> platformThreads(
      ExecutorService managementExecutor) {
    return factory ->
        factory.addProtocolHandlerCustomizers(it -> it.setExecutor(managementExecutor));
  }
}
