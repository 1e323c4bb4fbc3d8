package dev.superstep.http.connection;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/// Installs the guard on the port of the API. The management port is on a trusted network.
@Component
class ConnectionGuard implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
  private final ConnectionSettings settings;

  ConnectionGuard(ConnectionSettings settings) {
    this.settings = settings;
  }

  @Override
  public void customize(ConfigurableTomcatWebServerFactory server) {
    if (server instanceof TomcatWebServerFactory factory) {
      factory.setProtocol(GuardedProtocol.class.getName());
      factory.addConnectorCustomizers(connector -> {
        if (connector.getProtocolHandler() instanceof GuardedProtocol protocol) {
          protocol.guard(settings);
        }
      });
    }
  }
}
