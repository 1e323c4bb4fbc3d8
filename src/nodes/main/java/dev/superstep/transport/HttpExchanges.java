package dev.superstep.transport;

import dev.superstep.engine.node.Deadline;
import dev.superstep.engine.node.WorkPermits;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.util.Timeout;

/// Sends requests and has their answers read, within the time of each.
///
/// An exchange runs on a virtual thread of its own while the caller waits for it: a caller that is
/// interrupted, or out of time, leaves at once and the connection is closed behind it, whatever the
/// exchange was doing. The caller releases its permit to work meanwhile.
public final class HttpExchanges implements AutoCloseable {
  private final CloseableHttpClient client;
  private final ThreadFactory threads;

  public HttpExchanges(CloseableHttpClient client, ThreadFactory threads) {
    this.client = client;
    this.threads = threads;
  }

  /// @param timeout from the request to the end of the answer
  /// @param reader reads the answer, on the thread of the exchange
  /// @throws TimeoutException if the answer is not complete in time
  public <T> T send(
      HttpUriRequestBase request, Duration timeout, HttpClientResponseHandler<T> reader)
      throws IOException, InterruptedException, TimeoutException {
    request.setConfig(
        RequestConfig.custom()
            .setConnectionRequestTimeout(Timeout.of(timeout))
            // The thread that waits for the exchange enforces the time-out.
            .setResponseTimeout(Timeout.DISABLED)
            .setRedirectsEnabled(false)
            .build());
    var exchange = new FutureTask<>(() -> client.execute(request, reader));
    var thread = threads.newThread(exchange);
    thread.start();
    try (var _ = WorkPermits.releaseDuringIo()) {
      return result(exchange, timeout);
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

  private static <T> T result(FutureTask<T> exchange, Duration timeout)
      throws InterruptedException, ExecutionException, TimeoutException {
    try (var _ = Deadline.in(timeout, () -> exchange.cancel(false))) {
      return exchange.get();
    } catch (CancellationException _) {
      throw new TimeoutException();
    }
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
}
