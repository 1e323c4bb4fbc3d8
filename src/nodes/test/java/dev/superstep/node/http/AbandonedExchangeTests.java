package dev.superstep.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An exchange that is given up while it waits for a connection. The real pool loses a connection
/// that it hands to a thread just as that is interrupted, but once in some hundred times only, so
/// that the order is what is looked at here.
@Timeout(30)
class AbandonedExchangeTests {
  private final Waiting client = new Waiting();
  private final List<Boolean> cancelledWhenInterrupted = new CopyOnWriteArrayList<>();
  private final HttpTransport transport = new HttpTransport(client, 1_000, Exchange::new);

  /// Waits until it is interrupted, as for a connection.
  private static final class Waiting extends CloseableHttpClient {
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile HttpUriRequestBase request = new HttpUriRequestBase("GET", URI.create("/"));

    @Override
    @SuppressWarnings("deprecation")
    protected org.apache.hc.client5.http.impl.classic.CloseableHttpResponse doExecute(
        HttpHost target, ClassicHttpRequest asked, HttpContext context) {
      request = (HttpUriRequestBase) asked;
      this.asked.countDown();
      while (!Thread.currentThread().isInterrupted()) {
        LockSupport.park(this);
      }
      throw new IllegalStateException("given up");
    }

    @Override
    public void close() {}

    @Override
    public void close(CloseMode how) {}
  }

  /// Waits when it has started, and notes how things are when it is interrupted.
  private final class Exchange extends Thread {
    Exchange(Runnable work) {
      super(work);
    }

    @Override
    public void start() {
      super.start();
      while (client.asked.getCount() > 0) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void interrupt() {
      cancelledWhenInterrupted.add(client.request.isCancelled());
      super.interrupt();
    }
  }

  private HttpReply send(Duration timeout) throws Exception {
    var call = new HttpCall("GET", URI.create("http://localhost/"), Map.of(), new byte[0]);
    return transport.send(call, timeout);
  }

  @Test
  void takesItsRequestBackBeforeItIsInterruptedWhenItsTimeIsUp() {
    assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> send(Duration.ofMillis(50)));

    assertThat(cancelledWhenInterrupted).containsExactly(true);
  }

  @Test
  void takesItsRequestBackBeforeItIsInterruptedWithItsCaller() {
    Thread.currentThread().interrupt();

    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> send(Duration.ofSeconds(20)));

    assertThat(cancelledWhenInterrupted).containsExactly(true);
  }
}
