package dev.superstep.node.outbound;

import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/// Builds the client behind [HttpTransport]: host names and TLS checked as usual, and nothing the
/// library would do by itself (redirects, retries, cookies, credentials, proxies).
public final class GuardedHttpClient {
  private GuardedHttpClient() {}

  public static CloseableHttpClient create(
      HttpSettings settings, DnsResolver resolver, SSLContext tls) {
    return HttpClients.custom()
        .setConnectionManager(connections(settings, resolver, tls))
        .setUserAgent("Superstep")
        // It would offer and unpack whatever the class path has a decoder for: see BodyDecoder.
        .disableContentCompression()
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableConnectionState()
        .build();
  }

  private static PoolingHttpClientConnectionManager connections(
      HttpSettings settings, DnsResolver resolver, SSLContext tls) {
    var connect = Timeout.of(settings.connectTimeout());
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setDnsResolver(resolver)
        .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls))
        .setConnectionFactory(
            ManagedHttpClientConnectionFactory.builder().http1Config(sizes(settings)).build())
        .setMaxConnTotal(settings.connectionsMax())
        .setMaxConnPerRoute(settings.connectionsMax())
        .setDefaultSocketConfig(SocketConfig.custom().setSoTimeout(connect).build())
        .setDefaultTlsConfig(TlsConfig.custom().setHandshakeTimeout(connect).build())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(connect)
                .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                .build())
        .build();
  }

  private static Http1Config sizes(HttpSettings settings) {
    return Http1Config.custom()
        .setMaxHeaderCount(settings.headersMax())
        .setMaxLineLength((int) settings.headerMax().toBytes())
        .build();
  }
}
