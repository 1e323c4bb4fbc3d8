package dev.superstep.transport;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/// Builds HTTP clients: host names and TLS checked as usual, and nothing the library would do by
/// itself (redirects, retries, cookies, credentials, proxies).
public final class HttpClients {
  private HttpClients() {}

  /// @param connectTimeout time to open a connection, TLS included
  /// @param connectionsMax open connections, idle ones included
  /// @param headersMax number of response headers
  /// @param headerMax length of one response header
  /// @param unchecked how long a connection may have been idle to be used without looking whether
  ///   its server has closed it
  public record Limits(
      Duration connectTimeout,
      int connectionsMax,
      int headersMax,
      int headerMax,
      Duration unchecked) {}

  public static HttpClientBuilder builder(Limits limits, DnsResolver resolver, SSLContext tls) {
    return HttpClientBuilder.create()
        .setConnectionManager(connections(limits, resolver, tls))
        .setUserAgent("Superstep")
        // It would offer and unpack whatever the class path has a decoder for: see BodyDecoder.
        .disableContentCompression()
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableConnectionState();
  }

  private static PoolingHttpClientConnectionManager connections(
      Limits limits, DnsResolver resolver, SSLContext tls) {
    var connect = Timeout.of(limits.connectTimeout());
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setDnsResolver(resolver)
        .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls))
        .setConnectionFactory(
            ManagedHttpClientConnectionFactory.builder().http1Config(sizes(limits)).build())
        .setMaxConnTotal(limits.connectionsMax())
        .setMaxConnPerRoute(limits.connectionsMax())
        .setDefaultSocketConfig(SocketConfig.custom().setSoTimeout(connect).build())
        .setDefaultTlsConfig(TlsConfig.custom().setHandshakeTimeout(connect).build())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(connect)
                .setValidateAfterInactivity(TimeValue.of(limits.unchecked()))
                .build())
        .build();
  }

  private static Http1Config sizes(Limits limits) {
    return Http1Config.custom()
        .setMaxHeaderCount(limits.headersMax())
        .setMaxLineLength(limits.headerMax())
        .build();
  }
}
