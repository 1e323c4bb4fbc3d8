package dev.superstep.node.http;

import dev.superstep.transport.HttpClients;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// What HTTP nodes share: one client behind the egress policy.
@Configuration(proxyBeanMethods = false)
class HttpNodeConfiguration {

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
  public HttpCalls httpCalls(HttpTransport transport, HttpSettings settings) {
    return new HttpCalls(
        new Redirects(transport),
        new HttpFailures(settings.retryAfterMax()),
        settings.timeout(),
        settings.requestMax().toBytes());
  }

  @Bean
  Outbound outbound(HttpCalls calls) {
    return new Outbound(calls);
  }
}
