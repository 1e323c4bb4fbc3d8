package dev.superstep.node.http;

import dev.superstep.definition.type.NodeType;
import dev.superstep.expression.Expressions;
import dev.superstep.node.CallbackSettings;
import dev.superstep.secret.ReleasedSecrets;
import dev.superstep.secret.Secrets;
import dev.superstep.transport.HttpClients;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// HTTP nodes and what they share: one client behind the egress policy. The node type is made by
/// Spring, and by the reader that works without it.
@Configuration(proxyBeanMethods = false)
public class HttpNodeConfiguration {

  @Bean
  HttpTransport httpTransport(HttpSettings settings, EgressSettings egress)
      throws NoSuchAlgorithmException {
    var resolver =
        new HttpTransport.GuardedResolver(NameResolver.system(), EgressPolicy.of(egress.allow()));
    return new HttpTransport(
        HttpClients.builder(HttpTransport.limits(settings), resolver, SSLContext.getDefault())
            .build(),
        settings.responseMax().toBytes(),
        Thread.ofVirtual().name("http-", 0).factory());
  }

  @Bean
  Outbound outbound(HttpTransport transport, HttpSettings settings) {
    return new Outbound(
        new HttpCalls(
            new Redirects(transport::send),
            new HttpFailures(settings.retryAfterMax()),
            settings.timeout(),
            settings.requestMax().toBytes()),
        (call, timeout, _) -> transport.sendBriefly(call, timeout));
  }

  @Bean
  public List<NodeType> nodeTypesWithHttp(
      Outbound outbound,
      Expressions expressions,
      Secrets secrets,
      ReleasedSecrets released,
      CallbackSettings callbacks) {
    return List.of(new HttpNodeType(outbound.calls(), expressions, secrets, released, callbacks));
  }
}
