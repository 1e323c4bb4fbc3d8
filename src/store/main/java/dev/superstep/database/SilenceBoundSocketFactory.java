package dev.superstep.database;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import javax.net.SocketFactory;

/// Sockets for the PostgreSQL driver on which no read waits for longer than a bound: then the
/// connection is closed, and the read fails. One thread watches all of them.
///
/// The driver's own `socketTimeout` does the same by timed reads. On a virtual thread each of those
/// sets a timer, which adds a good half to what a round trip takes of the processor.
public final class SilenceBoundSocketFactory extends SocketFactory {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  /// Those that have been used for a connection, and are not garbage.
  private static final Set<BoundSocket> sockets =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /// How long this process has run. While it is frozen, an answer may arrive and stay unread: that
  /// is no silence.
  private static volatile long awakeNanos = 1;

  private final Duration silenceMax;

  static {
    Thread.ofPlatform()
        .daemon()
        .name("database-silence")
        .start(SilenceBoundSocketFactory::closeSilent);
  }

  /// Called by the driver, for each connection.
  ///
  /// @param silenceMax in ISO-8601, such as `PT30S`
  public SilenceBoundSocketFactory(String silenceMax) {
    this.silenceMax = Duration.parse(silenceMax);
  }

  private static void closeSilent() {
    try {
      while (true) {
        long last = System.nanoTime();
        Thread.sleep(BETWEEN_LOOKS);
        long passed = System.nanoTime() - last;
        long now = awakeNanos + Math.min(passed, 2 * BETWEEN_LOOKS.toNanos());
        awakeNanos = now;
        synchronized (sockets) {
          sockets.forEach(it -> it.closeIfSilent(now));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Socket createSocket() {
    return new BoundSocket(silenceMax);
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw onlyUnconnected();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw onlyUnconnected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw onlyUnconnected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw onlyUnconnected();
  }

  private static UnsupportedOperationException onlyUnconnected() {
    return new UnsupportedOperationException("the driver connects its sockets itself");
  }

  private static final class BoundSocket extends Socket {
    private static final long NOT_READING = 0;

    private final Duration silenceMax;
    private volatile long readSince = NOT_READING;
    private volatile boolean silent;

    BoundSocket(Duration silenceMax) {
      this.silenceMax = silenceMax;
    }

    void closeIfSilent(long now) {
      long since = readSince;
      if (since != NOT_READING && now - since > silenceMax.toNanos()) {
        silent = true;
        // On a thread of its own: closing may wait for what is still to be sent.
        Thread.ofVirtual().start(this::closeQuietly);
      }
    }

    private void closeQuietly() {
      try {
        close();
      } catch (IOException _) {
        // The reader fails in any case.
      }
    }

    @Override
    public InputStream getInputStream() throws IOException {
      var input = super.getInputStream();
      sockets.add(this);
      return new FilterInputStream(input) {
        @Override
        public int read() throws IOException {
          var one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
          readSince = awakeNanos;
          try {
            return super.read(bytes, from, length);
          } catch (SocketException e) {
            throw silent ? timedOut(e) : e;
          } finally {
            readSince = NOT_READING;
          }
        }
      };
    }

    /// No `SocketTimeoutException`: after one of those the driver reads again.
    private SocketException timedOut(SocketException cause) {
      var failure =
          new SocketException(
              "the database said nothing for %d ms".formatted(silenceMax.toMillis()));
      failure.initCause(cause);
      return failure;
    }
  }
}
