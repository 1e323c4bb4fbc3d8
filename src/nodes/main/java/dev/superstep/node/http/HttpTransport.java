package dev.superstep.node.http;

import dev.superstep.transport.BodyDecoder;
import dev.superstep.transport.HttpClients;
import dev.superstep.transport.HttpExchanges;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/// Sends one request and reads its answer, within the egress policy, the time left and the size
/// limits. Never follows a redirect, never repeats a request, uses no proxy.
final class HttpTransport implements AutoCloseable {
  private static final int BRIEF_BYTES = 1_024;

  private final HttpExchanges exchanges;
  private final long responseMax;

  public HttpTransport(CloseableHttpClient client, long responseMax, ThreadFactory threads) {
    this.exchanges = new HttpExchanges(client, threads);
    this.responseMax = responseMax;
  }

  /// The limits of connections.
  public static HttpClients.Limits limits(HttpSettings settings) {
    return new HttpClients.Limits(
        settings.connectTimeout(),
        settings.connectionsMax(),
        settings.headersMax(),
        (int) settings.headerMax().toBytes(),
        Duration.ZERO);
  }

  /// @throws TimeoutException if the answer is not complete in time
  /// @throws EgressRefusedException if the policy forbids the address
  HttpReply send(HttpCall call, Duration timeout)
      throws IOException, InterruptedException, TimeoutException {
    return send(call, timeout, LineListener.NONE);
  }

  /// @param lineListener receives a streamed answer while it arrives
  /// @throws TimeoutException if the answer is not complete in time
  /// @throws EgressRefusedException if the policy forbids the address
  HttpReply send(HttpCall call, Duration timeout, LineListener lineListener)
      throws IOException, InterruptedException, TimeoutException {
    var request = request(call);
    return exchanges.send(
        request, timeout, new ReplyReader(call.uri(), responseMax, request::cancel, lineListener));
  }

  /// Reads the beginning of the answer and closes the connection if there is more.
  HttpReply sendBriefly(HttpCall call, Duration timeout)
      throws IOException, InterruptedException, TimeoutException {
    var request = request(call);
    request.setHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
    return exchanges.send(
        request,
        timeout,
        answer -> {
          var entity = answer.getEntity();
          var body = new byte[0];
          if (entity != null) {
            var in = entity.getContent();
            body = in.readNBytes(BRIEF_BYTES);
            if (in.read() < 0) {
              in.close();
            } else {
              request.cancel();
            }
          }
          var headers = new HashMap<String, String>();
          for (var name : List.of("location", "retry-after")) {
            var header = answer.getFirstHeader(name);
            if (header != null) {
              headers.put(name, header.getValue());
            }
          }
          return new HttpReply(call.uri(), answer.getCode(), headers, body);
        });
  }

  private static HttpUriRequestBase request(HttpCall call) {
    var request = new HttpUriRequestBase(call.method(), call.uri());
    call.headers().forEach(request::setHeader);
    request.setHeader(HttpHeaders.ACCEPT_ENCODING, BodyDecoder.OFFERED);
    if (call.body() != null) {
      request.setEntity(new ByteArrayEntity(call.body(), null));
    }
    return request;
  }

  @Override
  public void close() throws IOException {
    exchanges.close();
  }

  /// Resolves a host once per connection, checks all its addresses, and hands exactly these to the
  /// client: what was checked is what is connected to.
  public record GuardedResolver(NameResolver names, EgressPolicy policy) implements DnsResolver {

    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
      var addresses = names.resolve(EgressPolicy.normalize(host));
      policy.check(host, port, addresses);
      return addresses.stream().map(it -> new InetSocketAddress(it, port)).toList();
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      throw new UnknownHostException("the port of '%s' is needed to check it".formatted(host));
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }
}
