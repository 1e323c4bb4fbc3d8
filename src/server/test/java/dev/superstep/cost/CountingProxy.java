package dev.superstep.cost;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/// Stands before a PostgreSQL and counts its answers: each round trip ends with one message
/// ReadyForQuery, which says whether a transaction is still open.
final class CountingProxy implements Closeable {
  private static final int READY = 'Z';
  private static final int IDLE = 'I';
  private static final int BUFFER = 1 << 16;

  private final ServerSocket entrance;
  private final int database;
  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicLong transactions = new AtomicLong();

  private CountingProxy(ServerSocket entrance, int database) {
    this.entrance = entrance;
    this.database = database;
  }

  /// Of the server at this port.
  static CountingProxy before(int database) throws IOException {
    var proxy =
        new CountingProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), database);
    Thread.ofVirtual().name("counting-proxy").start(proxy::accept);
    return proxy;
  }

  int port() {
    return entrance.getLocalPort();
  }

  long roundTrips() {
    return roundTrips.get();
  }

  /// Those that are over, statements without one included.
  long transactions() {
    return transactions.get();
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        var client = entrance.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), database);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> pass(client, server, CountingProxy::questions));
        Thread.ofVirtual().start(() -> pass(server, client, this::answers));
      } catch (IOException _) {
        // closed, or a side that has hung up
      }
    }
  }

  private interface Direction {
    void pass(DataInputStream from, DataOutputStream to) throws IOException;
  }

  private static void pass(Socket from, Socket to, Direction direction) {
    try (from;
        to;
        var in = new DataInputStream(new BufferedInputStream(from.getInputStream(), BUFFER));
        var out = new DataOutputStream(new BufferedOutputStream(to.getOutputStream(), BUFFER))) {
      direction.pass(in, out);
    } catch (IOException _) {
      // one side has hung up
    }
  }

  private static void questions(DataInputStream from, DataOutputStream to) throws IOException {
    var bytes = new byte[BUFFER];
    for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
      to.write(bytes, 0, read);
      to.flush();
    }
  }

  private void answers(DataInputStream from, DataOutputStream to) throws IOException {
    for (int type = from.read(); type >= 0; type = from.read()) {
      int length = from.readInt();
      var body = from.readNBytes(length - Integer.BYTES);
      count(type, body);
      to.write(type);
      to.writeInt(length);
      to.write(body);
      if (type == READY || from.available() == 0) {
        to.flush();
      }
    }
  }

  private void count(int type, byte[] body) {
    if (type == READY) {
      roundTrips.incrementAndGet();
      if (body[0] == IDLE) {
        transactions.incrementAndGet();
      }
    }
  }

  @Override
  public void close() throws IOException {
    entrance.close();
  }
}
