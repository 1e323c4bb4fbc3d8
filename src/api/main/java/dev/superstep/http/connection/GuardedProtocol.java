package dev.superstep.http.connection;

import dev.superstep.compute.Client;
import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP/1.1 over a [GuardedEndpoint]. Made by the container.
public final class GuardedProtocol extends Http11NioProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedProtocol.class);
  private static final long SWEEP_MS = 1_000;
  private @Nullable ScheduledFuture<?> sweeping;

  public GuardedProtocol() {
    super(new GuardedEndpoint());
  }

  private GuardedEndpoint endpoint() {
    return (GuardedEndpoint) (NioEndpoint) getEndpoint();
  }

  void guard(ConnectionSettings settings) {
    endpoint().guard(settings);
  }

  /// From now on each answer closes its connection and says so. A request that came on a kept one
  /// behind the end of the port would be dropped without an answer.
  void keepNoConnection() {
    setMaxKeepAliveRequests(1);
  }

  @Override
  protected Processor createProcessor() {
    return new WatchedProcessor(this, getAdapter());
  }

  @Override
  public void start() throws Exception {
    super.start();
    sweeping =
        getUtilityExecutor()
            .scheduleWithFixedDelay(this::sweep, SWEEP_MS, SWEEP_MS, TimeUnit.MILLISECONDS);
  }

  /// An exception would end the sweeping permanently.
  private void sweep() {
    try {
      endpoint().sweep();
    } catch (RuntimeException e) {
      LOG.warn("sweep of slow connections failed; retrying in {} ms", SWEEP_MS, e);
    }
  }

  @Override
  public void stop() throws Exception {
    if (sweeping != null) {
      sweeping.cancel(false);
    }
    super.stop();
  }

  /// Tomcat's processor of requests, extended by a check whether the client is still connected: the
  /// container does not read from a connection while it serves a request.
  private static final class WatchedProcessor extends Http11Processor {

    WatchedProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
      super(protocol, adapter);
    }

    @Override
    public SocketState service(SocketWrapperBase<?> connection) throws IOException {
      return ScopedValue.where(Client.CURRENT, () -> isClosed(connection))
          .call(() -> super.service(connection));
    }

    /// One read that does not wait. What it finds stays in the connection's buffer, as the begin of
    /// the next request; from then on the end behind it is not seen.
    private static boolean isClosed(SocketWrapperBase<?> connection) {
      try {
        return !connection.isReadyForRead() && connection.isClosed();
      } catch (IOException _) {
        return true;
      }
    }
  }
}
