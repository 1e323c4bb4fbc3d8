package dev.superstep.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Stands between a replica and the database: passes bytes on, late, not at all, or all but the
/// acknowledgement of a commit.
final class FaultProxy implements AutoCloseable {
  private final ServerSocket server;
  private volatile int target;
  private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
  private final AtomicInteger dropsWanted = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();
  private volatile Duration delay = Duration.ZERO;
  private volatile Duration delayOfScheduler = Duration.ZERO;
  private volatile boolean refusing;
  private boolean hole;

  FaultProxy(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("proxy").start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /// Where connections go from now on.
  void target(int other) {
    target = other;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        if (refusing) {
          client.close();
        } else {
          Thread.ofVirtual().name("proxy-link").start(() -> open(client));
        }
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void open(Socket client) {
    @Nullable Socket database = null;
    try {
      awaitPassage();
      database = new Socket(InetAddress.getLoopbackAddress(), target);
      var link = new ProxyLink(this, client, database);
      links.add(link);
      link.serve();
      links.remove(link);
    } catch (IOException _) {
      ProxyLink.close(client);
      if (database != null) {
        ProxyLink.close(database);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits while nothing passes.
  private synchronized void awaitPassage() throws InterruptedException {
    while (hole) {
      wait();
    }
  }

  /// Waits while nothing passes, and once for each question and answer if they are late.
  void awaitPassage(ProxyLink link, int type) throws InterruptedException {
    awaitPassage();
    if (type == 'S' || type == 'Q' || type == 'Z') {
      Thread.sleep(link.isScheduler() ? delay.plus(delayOfScheduler) : delay);
    }
  }

  /// Closes every connection; new ones can be made at once.
  ///
  /// @return how many there were
  int cut() {
    var all = Set.copyOf(links);
    all.forEach(ProxyLink::close);
    links.removeAll(all);
    return all.size();
  }

  /// Nobody gets through any more, nobody is told.
  synchronized void blackHole() {
    hole = true;
  }

  void refuse() {
    refusing = true;
    cut();
  }

  void delay(Duration wanted) {
    delay = wanted;
  }

  /// Delays what the scheduler says and hears: a replica learns late that it is no member any more.
  void delayScheduler(Duration wanted) {
    delayOfScheduler = wanted;
  }

  /// Everything passes again; what a black hole has held back goes on its way.
  void heal() {
    refusing = false;
    delay = Duration.ZERO;
    delayOfScheduler = Duration.ZERO;
    synchronized (this) {
      hole = false;
      notifyAll();
    }
  }

  /// The next `count` statements that commit something will do so, and nobody hears of it: the
  /// connection breaks instead.
  void dropAcknowledgements(int count) {
    dropsWanted.set(count);
  }

  /// Acknowledgements that were dropped so far.
  int dropped() {
    return dropped.get();
  }

  boolean wantsDrop() {
    return dropsWanted.get() > 0;
  }

  /// Whether this acknowledgement is one of those to drop.
  boolean takeDrop() {
    if (dropsWanted.getAndUpdate(it -> Math.max(0, it - 1)) <= 0) {
      return false;
    }
    dropped.incrementAndGet();
    return true;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    heal();
    cut();
  }
}
