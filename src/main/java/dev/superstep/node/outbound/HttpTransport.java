package dev.superstep.node.outbound;

import dev.superstep.engine.pool.Deadline;
import dev.superstep.engine.pool.WorkPermits;
import dev.superstep.node.outbound.egress.EgressPolicy;
import dev.superstep.node.outbound.egress.NameResolver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.Timeout;

/// Sends one request and reads its answer, within the egress policy, the time left and the size
/// limits. Never follows a redirect, never repeats a request, uses no proxy.
///
/// The exchange runs on a virtual thread of its own while the caller waits for it: a caller that is
/// interrupted, or out of time, leaves at once and the connection is closed behind it, whatever the
/// exchange was doing.
public final class HttpTransport implements AutoCloseable {
  private final CloseableHttpClient client;
  private final long responseMax;
  private final ThreadFactory threads;

  public HttpTransport(CloseableHttpClient client, long responseMax, ThreadFactory threads) {
    this.client = client;
    this.responseMax = responseMax;
    this.threads = threads;
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
    var request = request(call, timeout);
    var reader = new ReplyReader(call.uri(), responseMax, request::cancel, lineListener);
    var exchange = new FutureTask<>(() -> client.execute(request, reader));
    var thread = threads.newThread(exchange);
    thread.start();
    try (var _ = WorkPermits.releaseDuringIo()) {
      return reply(exchange, timeout);
    } catch (ExecutionException e) {
      throw unwrap(e);
    } finally {
      if (!exchange.isDone() || exchange.isCancelled()) {
        // In this order: a thread that is interrupted while it waits for a connection may receive
        // one at that moment, which would never be returned.
        request.cancel();
        exchange.cancel(false);
        thread.interrupt();
      }
    }
  }

  private static HttpReply reply(FutureTask<HttpReply> exchange, Duration timeout)
      throws InterruptedException, ExecutionException, TimeoutException {
    try (var _ = Deadline.in(timeout, () -> exchange.cancel(false))) {
      return exchange.get();
    } catch (CancellationException _) {
      throw new TimeoutException();
    }
  }

  private static HttpUriRequestBase request(HttpCall call, Duration timeout) {
    var request = new HttpUriRequestBase(call.method(), call.uri());
    call.headers().forEach(request::setHeader);
    request.setHeader(HttpHeaders.ACCEPT_ENCODING, BodyDecoder.OFFERED);
    if (call.body() != null) {
      request.setEntity(new ByteArrayEntity(call.body(), null));
    }
    request.setConfig(
        RequestConfig.custom()
            .setConnectionRequestTimeout(Timeout.of(timeout))
            // The thread that waits for the exchange enforces the time-out.
            .setResponseTimeout(Timeout.DISABLED)
            .setRedirectsEnabled(false)
            .build());
    return request;
  }

  private static IOException unwrap(ExecutionException thrown) {
    return switch (thrown.getCause()) {
      case IOException io -> io;
      case RuntimeException runtime -> throw runtime;
      case Error error -> throw error;
      case null, default -> new IOException(thrown.getCause());
    };
  }

  @Override
  public void close() throws IOException {
    client.close();
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
