package dev.superstep.http;

import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/// Has the management port served by platform threads: work that keeps the carriers of virtual
/// threads busy must not make health checks late. Part of the context of that port only, which is
/// why it is no `@Configuration` that a scan would find.
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementThreads {
  private static final int THREADS_MAX = 8;

  @Bean
  WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> platformThreads() {
    return factory ->
        factory.addProtocolHandlerCustomizers(handler -> {
          // Without an executor from outside Tomcat makes a pool of its own.
          handler.setExecutor(null);
          if (handler instanceof AbstractProtocol<?> protocol) {
            protocol.setMaxThreads(THREADS_MAX);
            protocol.setMinSpareThreads(1);
          }
        });
  }
}
