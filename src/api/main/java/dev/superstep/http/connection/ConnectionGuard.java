package dev.superstep.http.connection;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.stereotype.Component;

/// Installs the guard on the port of the API. The management port is on a trusted network. When the
/// process is asked to end, each answer has its client close the connection.
@Component
class ConnectionGuard
    implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>,
        ApplicationListener<ContextClosedEvent> {
  private final ConnectionSettings settings;
  private final List<GuardedProtocol> protocols = new CopyOnWriteArrayList<>();

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
          protocols.add(protocol);
        }
      });
    }
  }

  /// Before readiness goes down and the drain begins.
  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    protocols.forEach(GuardedProtocol::keepNoConnection);
  }
}
