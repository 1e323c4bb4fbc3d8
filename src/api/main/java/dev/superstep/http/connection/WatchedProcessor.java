package dev.superstep.http.connection;

import dev.superstep.compute.Client;
import java.io.IOException;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

/// Tomcat's processor of requests, extended by a check whether the client is still connected: the
/// container does not read from a connection while it serves a request.
final class WatchedProcessor extends Http11Processor {

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
