package dev.superstep.http.connection;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// Tomcat's endpoint with two limits that it does not have: connections of one address, and the
/// whole time that the head of a request takes. Its own time-out is that of one read, so that a
/// byte a second keeps a connection for ever.
final class GuardedEndpoint extends NioEndpoint {
  private static final long WRITE_MS = 20_000;

  private @Nullable AddressCounts addresses;
  private Duration headMax = Duration.ZERO;

  void guard(ConnectionSettings settings) {
    addresses = new AddressCounts(settings.addressMax(), settings.unlimited(), this::open);
    headMax = settings.headMax();
  }

  private Collection<InetAddress> open() {
    return getConnections().stream()
        .map(SocketWrapperBase::getSocket)
        .filter(Objects::nonNull)
        .map(NioChannel::getIOChannel)
        .filter(Objects::nonNull)
        .map(it -> it.socket().getInetAddress())
        .filter(Objects::nonNull)
        .toList();
  }

  /// A connection that is refused here is closed without having cost a buffer or a thread.
  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    var address = socket.socket().getInetAddress();
    if (addresses != null && address != null && !addresses.admits(address)) {
      destroySocket(socket);
      return false;
    }
    if (!super.setSocketOptions(socket)) {
      return false;
    }
    // It has the time-out of reads, but a reader of a stream may pause.
    var connection = connections.get(socket);
    if (connection != null) {
      connection.setWriteTimeout(WRITE_MS);
    }
    return true;
  }

  /// Ends connections whose request has begun too long ago and still is no whole one.
  void sweep() {
    if (addresses != null) {
      addresses.recount();
      long now = System.nanoTime();
      for (var connection : getConnections()) {
        if (isLate(connection, now)) {
          processSocket(connection, SocketEvent.ERROR, true);
        }
      }
    }
  }

  /// A connection keeps its processor between two reads of one head, and while a request is served
  /// asynchronously.
  private boolean isLate(SocketWrapperBase<NioChannel> connection, long now) {
    if (!(connection.getCurrentProcessor() instanceof Processor processor)
        || processor.isAsync()
        || processor.isUpgrade()) {
      return false;
    }
    long begun = processor.getRequest().getStartTimeNanos();
    return begun >= 0 && now - begun > headMax.toNanos();
  }
}
